import type { GetEmailIdentityCommandOutput, SESv2Client } from '@aws-sdk/client-sesv2';

import { sesSdk } from '../../platform/aws/aws-sdk.js';
import type { SesClients } from '../../platform/aws/aws-clients.js';
import type { AwsAccess } from '../../shared/aws-access.js';
import { dkimName, type DnsRecord, MX_PRIORITY, spfRecord } from '../../shared/dns-record.js';
import type { ProviderKey } from '../../shared/provider-key.js';
import type { EmailIdentity, IdentityKeeper, OnMxFailure } from '../capabilities/identities.js';
import type { SesConnection } from './ses-connection.js';
import { sesFailure } from './ses-failure.js';
import { sesKeys } from './ses-keys.js';

/** Limits the wait of a user. */
const ANSWER_TIMEOUT_MS = 15_000;
const KEY_LENGTH = 'RSA_2048_BIT';

/** The identities of an AWS account in one region, with Easy DKIM. */
export class SesIdentities implements IdentityKeeper {
  readonly key: ProviderKey;
  readonly label = 'SES';
  readonly isShared: boolean;
  readonly spf = 'include:amazonses.com';
  private readonly access: AwsAccess;

  constructor(
    private readonly clients: SesClients,
    connection: SesConnection,
  ) {
    this.key = sesKeys.keyOf(connection);
    this.access = connection.access;
    this.isShared = connection.access.credentials === null;
  }

  async create(name: string): Promise<'created' | 'exists'> {
    const DkimSigningAttributes = name.includes('@') ? undefined : ({ NextSigningKeyLength: KEY_LENGTH } as const);
    const command = new (sesSdk().CreateEmailIdentityCommand)({ EmailIdentity: name, DkimSigningAttributes });
    const created = await this.call(() => this.client.send(command, limit()), 'AlreadyExistsException');
    return created ? 'created' : 'exists';
  }

  async find(name: string): Promise<EmailIdentity | null> {
    const command = new (sesSdk().GetEmailIdentityCommand)({ EmailIdentity: name });
    const identity = await this.call(() => this.client.send(command, limit()), 'NotFoundException');
    return identity && toIdentity(identity);
  }

  async setMailFrom(
    name: string,
    { domain, onMxFailure }: { domain: string; onMxFailure: OnMxFailure },
  ): Promise<void> {
    const command = new (sesSdk().PutEmailIdentityMailFromAttributesCommand)({
      EmailIdentity: name,
      MailFromDomain: domain,
      BehaviorOnMxFailure: onMxFailure,
    });
    await this.call(() => this.client.send(command, limit()));
  }

  /** SES looks for the records for another 72 hours. */
  async restartDkim(name: string): Promise<void> {
    const command = new (sesSdk().PutEmailIdentityDkimSigningAttributesCommand)({
      EmailIdentity: name,
      SigningAttributesOrigin: 'AWS_SES',
      SigningAttributes: { NextSigningKeyLength: KEY_LENGTH },
    });
    await this.call(() => this.client.send(command, limit()));
  }

  async delete(name: string): Promise<void> {
    const command = new (sesSdk().DeleteEmailIdentityCommand)({ EmailIdentity: name });
    await this.call(() => this.client.send(command, limit()), 'NotFoundException');
  }

  recordsOf(name: string, { tokens, hostedZone }: EmailIdentity['dkim'], mailFrom: string): DnsRecord[] {
    const zone = hostedZone ?? 'dkim.amazonses.com';
    const exchange = `feedback-smtp.${this.access.region}.amazonses.com`;
    return [
      ...tokens.map((token): DnsRecord => ({
        type: 'CNAME',
        name: dkimName(name, token),
        value: `${token}.${zone}`,
        purpose: 'dkim',
      })),
      { type: 'MX', name: mailFrom, value: exchange, priority: MX_PRIORITY, purpose: 'mail_from' },
      { type: 'TXT', name: mailFrom, value: spfRecord(this.spf), purpose: 'spf' },
    ];
  }

  private get client(): SESv2Client {
    return this.clients.get(this.access);
  }

  /** Returns null if SES answers with the expected error. */
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
