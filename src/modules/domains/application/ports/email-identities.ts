import type { AwsAccess } from '../../../../shared/account-provider.js';

export type SesStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** Where SES does not find the MX of the MAIL FROM domain it uses one of its own, or refuses the message. */
export type OnMxFailure = 'USE_DEFAULT_VALUE' | 'REJECT_MESSAGE';

/** A domain or an address as SES knows it. */
export interface EmailIdentity {
  isVerified: boolean;
  /** What SES met when it last looked, in its own word (`HOST_NOT_FOUND`). */
  error: string | null;
  dkim: { status: SesStatus; tokens: readonly string[]; hostedZone: string | null };
  mailFrom: { domain: string | null; status: SesStatus; onMxFailure: OnMxFailure };
}

/** The identities of an AWS account in one region. Every method throws a ProviderFailure where SES refuses or is away. */
export abstract class EmailIdentities {
  /** With Easy DKIM of 2,048 bits. To a new address SES mails a link that works for 24 hours; of one that stood, nothing changes. */
  abstract create(access: AwsAccess, name: string): Promise<'created' | 'stood'>;

  abstract find(access: AwsAccess, name: string): Promise<EmailIdentity | null>;

  /** Also begins its verification again. */
  abstract setMailFrom(
    access: AwsAccess,
    name: string,
    mailFrom: { domain: string; onMxFailure: OnMxFailure },
  ): Promise<void>;

  /** Has SES look for the DKIM records again, for another 72 hours. */
  abstract restartDkim(access: AwsAccess, name: string): Promise<void>;

  /** One that is not there is fine. */
  abstract delete(access: AwsAccess, name: string): Promise<void>;
}
