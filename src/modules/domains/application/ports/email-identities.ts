import type { AwsAccess } from '../../../../shared/account-provider.js';

export type SesStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** If SES does not find the MX of the MAIL FROM domain, it uses a domain of its own or rejects the message. */
export type OnMxFailure = 'USE_DEFAULT_VALUE' | 'REJECT_MESSAGE';

/** A domain or an address that is registered in SES. */
export interface EmailIdentity {
  isVerified: boolean;
  /** The error code of SES's last verification attempt, such as `HOST_NOT_FOUND`. */
  error: string | null;
  dkim: { status: SesStatus; tokens: readonly string[]; hostedZone: string | null };
  mailFrom: { domain: string | null; status: SesStatus; onMxFailure: OnMxFailure };
}

/**
 * The identities of an AWS account in one region. Every method throws a ProviderFailure if SES refuses or cannot be
 * reached.
 */
export abstract class EmailIdentities {
  /**
   * With Easy DKIM of 2,048 bits. SES mails a link that works for 24 hours to a new address. An existing identity is
   * not changed.
   */
  abstract create(access: AwsAccess, name: string): Promise<'created' | 'exists'>;

  abstract find(access: AwsAccess, name: string): Promise<EmailIdentity | null>;

  /** Restarts the verification of the MAIL FROM domain. */
  abstract setMailFrom(
    access: AwsAccess,
    name: string,
    mailFrom: { domain: string; onMxFailure: OnMxFailure },
  ): Promise<void>;

  /** Makes SES look for the DKIM records for another 72 hours. */
  abstract restartDkim(access: AwsAccess, name: string): Promise<void>;

  /** Does nothing if there is no such identity. */
  abstract delete(access: AwsAccess, name: string): Promise<void>;
}
