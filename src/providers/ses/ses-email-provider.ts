import { Injectable } from '@nestjs/common';

import { PROVIDER_CHECK_TIMEOUT_MS } from '../../config/limits.js';
import { sesSdk } from '../../platform/aws/aws-sdk.js';
import { confirmFirst, AFTER_SIGNING, SesClients } from '../../platform/aws/aws-clients.js';
import type { RawMail } from '../../mail/writing/mail-content.js';
import { PermanentDeliveryError } from '../../shared/delivery-error.js';
import type { StoredSettings } from '../../shared/account-settings.js';
import { hasAsciiLocalPart } from '../../shared/email-address.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import { isFromCheck, type SubmissionCheck } from '../../shared/submission-check.js';
import { accessOf } from '../aws/access-of.js';
import { readAwsFailure } from '../aws/aws-failure.js';
import type { EmailProvider } from '../capabilities/provider.js';
import type { ReportedResults } from '../capabilities/reports.js';
import type { EmailSubmission, ProviderReceipt, SendingLimit } from '../capabilities/sending.js';
import type { SesConnection } from './ses-connection.js';
import { toDeliveryError } from './ses-error.js';
import { SesIdentities } from './ses-identities.js';
import { SesRate } from './ses-rate.js';
import { AFTER_SERIALISATION, STREAMED_FROM_BYTES, streamRawContent } from './ses-raw-content.js';
import { SesTracking } from './ses-tracking.js';

@Injectable()
export class SesEmailProvider implements EmailProvider<SesConnection> {
  readonly kind = 'ses';
  readonly signsMail = true;

  constructor(
    private readonly clients: SesClients,
    private readonly tracking: SesTracking,
    private readonly rate: SesRate,
    private readonly secrets: SecretBox,
  ) {}

  connect({ ses, tracking, updatedAt: settingsAt }: StoredSettings): SesConnection | null {
    if (!ses) return null;
    const { configurationSet } = ses;
    return { kind: this.kind, access: accessOf(ses, this.secrets), configurationSet, tracking, settingsAt };
  }

  isConfigured({ ses }: StoredSettings): boolean {
    return ses !== null;
  }

  /** Results are reported if the configuration set publishes the events to the topic. */
  resultsReportedBy({ ses }: StoredSettings): ReportedResults {
    const isReported = ses !== null && ses.topicArn !== null && ses.configurationSet !== null;
    return { deliveries: isReported, opens: isReported, clicks: isReported };
  }

  /** SES replaces the Message-ID, so events are matched by these tags, which SES includes in each of them. */
  async sendEmail(email: EmailSubmission, connection: SesConnection, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { id, accountId, mail, isBulk } = email;
    const { from, to, raw, rest = [] } = mail;
    requireAscii(mail);
    const isStreamed = rest.reduce((sum, { length }) => sum + length, raw.length) > STREAMED_FROM_BYTES;
    const { access, configurationSet } = connection;
    const command = new (sesSdk().SendEmailCommand)({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Raw: { Data: isStreamed ? Buffer.alloc(0) : rest.length === 0 ? raw : Buffer.concat([raw, ...rest]) },
      },
      EmailTags: [
        { Name: 'account_id', Value: accountId },
        { Name: 'message_id', Value: id },
      ],
      ...(configurationSet === null ? {} : { ConfigurationSetName: configurationSet }),
    });
    await this.tracking.ensure(connection);
    if (isStreamed) command.middlewareStack.add(streamRawContent([raw, ...rest]), AFTER_SERIALISATION);
    command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);
    try {
      const { MessageId = '' } = await this.clients.submit(access, (client) => client.send(command), isBulk);
      return { provider: this.kind, providerMessageId: MessageId, response: `SES accepted it as ${MessageId}` };
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error, connection.settingsAt);
    }
  }

  identitiesOf(connection: SesConnection): SesIdentities {
    return new SesIdentities(this.clients, connection);
  }

  limitOf({ access }: SesConnection): Promise<SendingLimit> {
    return this.rate.limitOf(access);
  }

  async findFault({ access }: SesConnection): Promise<string | null> {
    try {
      const command = new (sesSdk().GetAccountCommand)({});
      const abortSignal = AbortSignal.timeout(PROVIDER_CHECK_TIMEOUT_MS);
      const account = await this.clients.get(access).send(command, { abortSignal });
      return account.SendingEnabled === false ? 'Amazon SES has paused sending for this account' : null;
    } catch (error) {
      return readAwsFailure(error).reason;
    }
  }
}

/** SES has no SMTPUTF8 (API reference v2, Destination). */
function requireAscii({ from, to }: RawMail): void {
  if (!hasAsciiLocalPart(from) || !hasAsciiLocalPart(to))
    throw new PermanentDeliveryError('Amazon SES does not support addresses with non-ASCII characters before the @');
}
