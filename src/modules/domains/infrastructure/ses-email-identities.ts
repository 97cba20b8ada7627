import type { GetEmailIdentityCommandOutput } from '@aws-sdk/client-sesv2';
import { Injectable } from '@nestjs/common';

import { sesSdk } from '../../../platform/aws/aws-sdk.js';
import { SesClients } from '../../../platform/aws/aws-clients.js';
import type { AwsAccess } from '../../../shared/account-provider.js';
import { EmailIdentities, type EmailIdentity, type OnMxFailure } from '../application/ports/email-identities.js';
import { sesFailure } from './ses-failure.js';

/** A user is waiting for the answer. */
const ANSWER_TIMEOUT_MS = 15_000;
const KEY_LENGTH = 'RSA_2048_BIT';

@Injectable()
export class SesEmailIdentities extends EmailIdentities {
  constructor(private readonly clients: SesClients) {
    super();
  }

  async create(access: AwsAccess, name: string): Promise<'created' | 'exists'> {
    const DkimSigningAttributes = name.includes('@') ? undefined : ({ NextSigningKeyLength: KEY_LENGTH } as const);
    const command = new (sesSdk().CreateEmailIdentityCommand)({ EmailIdentity: name, DkimSigningAttributes });
    const created = await this.call(() => this.of(access).send(command, limit()), 'AlreadyExistsException');
    return created ? 'created' : 'exists';
  }

  async find(access: AwsAccess, name: string): Promise<EmailIdentity | null> {
    const command = new (sesSdk().GetEmailIdentityCommand)({ EmailIdentity: name });
    const identity = await this.call(() => this.of(access).send(command, limit()), 'NotFoundException');
    return identity && toIdentity(identity);
  }

  async setMailFrom(
    access: AwsAccess,
    name: string,
    { domain, onMxFailure }: { domain: string; onMxFailure: OnMxFailure },
  ): Promise<void> {
    const command = new (sesSdk().PutEmailIdentityMailFromAttributesCommand)({
      EmailIdentity: name,
      MailFromDomain: domain,
      BehaviorOnMxFailure: onMxFailure,
    });
    await this.call(() => this.of(access).send(command, limit()));
  }

  async restartDkim(access: AwsAccess, name: string): Promise<void> {
    const command = new (sesSdk().PutEmailIdentityDkimSigningAttributesCommand)({
      EmailIdentity: name,
      SigningAttributesOrigin: 'AWS_SES',
      SigningAttributes: { NextSigningKeyLength: KEY_LENGTH },
    });
    await this.call(() => this.of(access).send(command, limit()));
  }

  async delete(access: AwsAccess, name: string): Promise<void> {
    const command = new (sesSdk().DeleteEmailIdentityCommand)({ EmailIdentity: name });
    await this.call(() => this.of(access).send(command, limit()), 'NotFoundException');
  }

  private of(access: AwsAccess) {
    return this.clients.of(access);
  }

  /** Null if SES answers with the expected error. */
  private async call<T>(send: () => Promise<T>, expected?: string): Promise<T | null> {
    try {
      return await send();
    } catch (error) {
      if ((error as Error).name === expected) return null;
      throw sesFailure(error);
    }
  }
}

const limit = () => ({ abortSignal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });

function toIdentity(answer: GetEmailIdentityCommandOutput): EmailIdentity {
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom } = answer;
  return {
    isVerified: answer.VerifiedForSendingStatus ?? false,
    error: answer.VerificationInfo?.ErrorType ?? null,
    dkim: {
      status: dkim?.Status ?? 'NOT_STARTED',
      tokens: dkim?.Tokens ?? [],
      hostedZone: dkim?.SigningHostedZone ?? null,
    },
    mailFrom: {
      // Absent or empty if none is set.
      domain: mailFrom?.MailFromDomain || null,
      status: mailFrom?.MailFromDomainStatus ?? 'NOT_STARTED',
      onMxFailure: mailFrom?.BehaviorOnMxFailure ?? 'USE_DEFAULT_VALUE',
    },
  };
}
