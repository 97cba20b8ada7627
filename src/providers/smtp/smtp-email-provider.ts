import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { PROVIDER_CHECK_TIMEOUT_MS } from '../../config/limits.js';
import { Config } from '../../config/config.js';
import { describeRelayError } from '../../platform/smtp/describe-relay-error.js';
import { SmtpRelays } from '../../platform/smtp/smtp-relays.js';
import type { SmtpSettings, StoredSettings } from '../../shared/account-settings.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import { relayFromUrl, type SmtpRelay } from '../../shared/smtp-relay.js';
import { isFromCheck, type SubmissionCheck } from '../../shared/submission-check.js';
import type { RelayRecords } from '../capabilities/identities.js';
import type { EmailProvider } from '../capabilities/provider.js';
import type { ReportedResults } from '../capabilities/reports.js';
import type { EmailSubmission, ProviderReceipt, SendingLimit } from '../capabilities/sending.js';
import { relayRecords } from './relay-records.js';
import type { SmtpConnection } from './smtp-connection.js';
import { toDeliveryError } from './smtp-error.js';
import { vendorHeaders } from './vendor-headers.js';

/** Sends through any relay that speaks SMTP, and the vendors behind them. The service signs the mail. */
@Injectable()
export class SmtpEmailProvider implements EmailProvider<SmtpConnection> {
  readonly kind = 'smtp';
  readonly signsMail = false;

  /** The operator's relay (`SMTP_URL`), which accounts without one of their own send through. */
  readonly installationRelay: SmtpRelay | null;
  private readonly allowPrivateAddress: boolean;

  constructor(
    private readonly relays: SmtpRelays,
    private readonly secrets: SecretBox,
    config: Config,
  ) {
    this.installationRelay = config.smtpUrl === undefined ? null : relayFromUrl(config.smtpUrl);
    this.allowPrivateAddress = config.smtpAllowPrivateNetworks;
  }

  connect({ smtp, tracking, updatedAt: settingsAt }: StoredSettings): SmtpConnection | null {
    const { kind, installationRelay: relay } = this;
    if (smtp) {
      const { vendor, maxSendRate } = smtp;
      return { kind, owner: 'account', relay: this.open(smtp), vendor, maxSendRate, tracking, settingsAt };
    }
    return relay && { kind, owner: 'installation', relay, vendor: 'generic', maxSendRate: null, tracking, settingsAt };
  }

  isConfigured({ smtp }: StoredSettings): boolean {
    return smtp !== null || this.installationRelay !== null;
  }

  /** Results are reported only with a key: without one, no event of the vendor is accepted. */
  resultsReportedBy({ smtp }: StoredSettings): ReportedResults {
    const isReported = smtp !== null && smtp.sealedEventSigningKey !== null;
    return { deliveries: isReported, opens: isReported, clicks: isReported };
  }

  hostsOf({ smtp }: StoredSettings): string[] {
    return [smtp?.host, this.installationRelay?.host].filter((host) => host !== undefined);
  }

  async sendEmail(
    { mail, isBulk }: EmailSubmission,
    { relay }: SmtpConnection,
    check: SubmissionCheck,
  ): Promise<ProviderReceipt> {
    try {
      const response = await this.relays.get(relay).submit(mail, check, isBulk);
      return { provider: this.kind, providerMessageId: mail.messageId, response };
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error);
    }
  }

  relayOf({ relay }: SmtpConnection): SmtpRelay {
    return relay;
  }

  relayRecordsOf({ relay, vendor }: SmtpConnection): RelayRecords {
    return relayRecords(relay.host, vendor);
  }

  headersFor(connection: SmtpConnection, messageId: string): Record<string, string> {
    return vendorHeaders(connection, messageId);
  }

  limitOf({ maxSendRate }: SmtpConnection, accountId: string): SendingLimit | null {
    return maxSendRate === null ? null : { rate: maxSendRate, key: accountId };
  }

  /** Checks the greeting, TLS and the login. */
  async findFault({ relay }: SmtpConnection): Promise<string | null> {
    const answered = new AbortController();
    const timeout = delay(PROVIDER_CHECK_TIMEOUT_MS, 'The SMTP relay did not answer in time', {
      signal: answered.signal,
    });
    const verify = this.relays.verify(relay).then(() => null, describeRelayError);
    const fault = await Promise.race([verify, timeout]);
    answered.abort();
    await timeout.catch(() => undefined);
    return fault;
  }

  private open({ host, port, secure, username, sealedPassword, allowPlaintext = false }: SmtpSettings): SmtpRelay {
    const password = sealedPassword === null ? null : this.secrets.open(sealedPassword);
    const { allowPrivateAddress } = this;
    return { host, port, secure, username, password, allowPrivateAddress, allowPlaintext };
  }
}
