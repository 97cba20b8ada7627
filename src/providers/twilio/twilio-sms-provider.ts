import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import type { StoredSettings } from '../../shared/account-settings.js';
import { UnknownOutcomeError } from '../../shared/delivery-error.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import type { SmsProvider } from '../capabilities/provider.js';
import type { ReportedResults } from '../capabilities/reports.js';
import type { ProviderReceipt, SendingLimit, SmsSubmission } from '../capabilities/sending.js';
import { fieldsOf, textOf } from '../events/fields.js';
import { MESSAGING_SERVICE } from './messaging-service.js';
import { TwilioApi } from './twilio-api.js';
import { callbackUrl } from './twilio-callback.js';
import { isWrongSender } from './twilio-codes.js';
import type { TwilioConnection } from './twilio-connection.js';
import { codeOf, toDeliveryError } from './twilio-error.js';
import { twilioFieldsOf } from './twilio-settings.js';

const SID = /^\w{1,64}$/;

@Injectable()
export class TwilioSmsProvider implements SmsProvider<TwilioConnection> {
  readonly kind = 'twilio';

  constructor(
    private readonly api: TwilioApi,
    private readonly secrets: SecretBox,
    private readonly config: Config,
  ) {}

  connect({ sms, updatedAt: settingsAt }: StoredSettings): TwilioConnection | null {
    if (!sms?.enabled) return null;
    const { twilioAccountSid: accountSid, sealedTwilioAuthToken: sealed, ...fields } = twilioFieldsOf(sms);
    if (accountSid === null || sealed === null) return null;
    const originationNumber = fields.twilioFrom ?? fields.twilioMessagingServiceSid;
    const { maxSendRate } = sms;
    const authToken = this.secrets.open(sealed);
    return { kind: this.kind, accountSid, authToken, originationNumber, maxSendRate, settingsAt };
  }

  isConfigured({ sms }: StoredSettings): boolean {
    if (!sms?.enabled) return false;
    const { sealedTwilioAuthToken, twilioFrom, twilioMessagingServiceSid } = twilioFieldsOf(sms);
    return sealedTwilioAuthToken !== null && (twilioFrom ?? twilioMessagingServiceSid) !== null;
  }

  /** Deliveries are reported because each message names the address of its status callbacks. */
  resultsReportedBy(settings: StoredSettings): ReportedResults {
    return { deliveries: this.isConfigured(settings), opens: false, clicks: false };
  }

  /** A message with a wrong sender is submitted again with the sender that is set now. */
  async sendSms(sms: SmsSubmission, connection: TwilioConnection, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { originationNumber, settingsAt } = connection;
    let { sender } = sms;
    let reply = await this.submit(sms, connection, check);
    if (isWrongSender(codeOf(reply.content)) && originationNumber !== null && originationNumber !== sender) {
      sender = originationNumber;
      reply = await this.submit({ ...sms, sender }, connection, check);
    }
    const { status, content } = reply;
    if (status < 200 || status >= 300) throw toDeliveryError(status, content, { sender, settingsAt });
    const sid = textOf(fieldsOf(content).sid) ?? '';
    if (!SID.test(sid)) throw new UnknownOutcomeError(`Twilio answered ${status} without the id of a message`);
    const from = sender === sms.sender ? '' : `, from ${sender}`;
    return { provider: this.kind, providerMessageId: sid, response: `Twilio accepted it as ${sid}${from}` };
  }

  /** The key includes a hash of the token, which proves that the account may share the rate: the rest is no secret. */
  limitOf({ accountSid, authToken, maxSendRate, originationNumber }: TwilioConnection): SendingLimit {
    const proof = createHash('sha256').update(authToken).digest('base64url');
    return { rate: maxSendRate, key: `twilio ${accountSid} ${originationNumber ?? ''} ${proof}` };
  }

  private async submit(
    { id, accountId, recipient, sender, text }: SmsSubmission,
    connection: TwilioConnection,
    check: SubmissionCheck,
  ): Promise<{ status: number; content: unknown }> {
    const form = new URLSearchParams({
      To: recipient,
      [MESSAGING_SERVICE.test(sender) ? 'MessagingServiceSid' : 'From']: sender,
      Body: text,
      StatusCallback: callbackUrl(this.config.baseUrl, accountId, id),
    });
    const { statusCode: status, body } = await this.api.createMessage(connection, form, check);
    return { status, content: contentOf(body.toString()) };
  }
}

/** Returns null unless the body is JSON: an intermediary may answer anything. */
function contentOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}
