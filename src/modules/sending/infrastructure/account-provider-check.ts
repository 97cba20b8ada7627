import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { SesClients } from '../../../platform/aws/aws-clients.js';
import { sesSdk } from '../../../platform/aws/aws-sdk.js';
import { describeRelayError } from '../../../platform/smtp/describe-relay-error.js';
import { SmtpTransports } from '../../../platform/smtp/smtp-transports.js';
import type { AwsAccess } from '../../../shared/account-provider.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { ProviderCheck, type ProviderCheckResult } from '../application/ports/provider-check.js';
import { readAwsFailure } from './aws-failure.js';

/** A user is waiting for the answer. */
const TIMEOUT_MS = 15_000;

@Injectable()
export class AccountProviderCheck extends ProviderCheck {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly transports: SmtpTransports,
    private readonly sesClients: SesClients,
  ) {
    super();
  }

  async check(accountId: string): Promise<ProviderCheckResult> {
    const provider = await this.providers.find(accountId);
    if (!provider || provider.kind === 'simulator') return { provider: null, fault: 'No email provider is configured' };
    const fault =
      provider.kind === 'ses' ? await this.findSesFault(provider.access) : await this.findRelayFault(provider.relay);
    return { provider: provider.kind, fault };
  }

  /** Greeting, TLS and login. */
  private async findRelayFault(relay: SmtpRelay): Promise<string | null> {
    const answered = new AbortController();
    const timeout = delay(TIMEOUT_MS, 'The SMTP relay did not answer in time', { signal: answered.signal });
    const verify = this.transports
      .of(relay)
      .verify()
      .then(() => null, describeRelayError);
    const fault = await Promise.race([verify, timeout]);
    answered.abort();
    await timeout.catch(() => undefined);
    return fault;
  }

  private async findSesFault(access: AwsAccess): Promise<string | null> {
    try {
      const command = new (sesSdk().GetAccountCommand)({});
      const account = await this.sesClients.of(access).send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
      return account.SendingEnabled === false ? 'Amazon SES has paused sending for this account' : null;
    } catch (error) {
      return readAwsFailure(error).reason;
    }
  }
}
