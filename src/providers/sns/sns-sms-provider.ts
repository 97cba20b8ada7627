import type { MessageAttributeValue } from '@aws-sdk/client-sns';
import { Injectable } from '@nestjs/common';

import { snsSdk } from '../../platform/aws/aws-sdk.js';
import { AFTER_SIGNING, confirmFirst, SnsClients } from '../../platform/aws/aws-clients.js';
import { awsOwner } from '../../platform/aws/aws-owner.js';
import type { StoredSettings } from '../../shared/account-settings.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import { isFromCheck, type SubmissionCheck } from '../../shared/submission-check.js';
import { accessOf } from '../aws/access-of.js';
import type { OptOutList, SmsAccountState } from '../capabilities/opt-outs.js';
import type { SmsProvider } from '../capabilities/provider.js';
import type { ReportedResults } from '../capabilities/reports.js';
import type { ProviderReceipt, SendingLimit, SmsSubmission } from '../capabilities/sending.js';
import { SnsAccount } from './sns-account.js';
import type { SnsConnection } from './sns-connection.js';
import { isInvalidParameter, toDeliveryError } from './sns-error.js';
import { snsFieldsOf } from './sns-settings.js';

@Injectable()
export class SnsSmsProvider implements SmsProvider<SnsConnection> {
  readonly kind = 'sns';

  constructor(
    private readonly clients: SnsClients,
    private readonly account: SnsAccount,
    private readonly secrets: SecretBox,
  ) {}

  /** Uses the credentials of the SES settings, else those of the process. */
  connect({ sms, ses, updatedAt: settingsAt }: StoredSettings): SnsConnection | null {
    if (!sms?.enabled) return null;
    const { originationNumber, maxSendRate } = sms;
    const { region, senderId } = snsFieldsOf(sms);
    const access = ses ? { ...accessOf(ses, this.secrets), region } : { region, credentials: null };
    return { kind: this.kind, access, originationNumber, senderId, maxSendRate, settingsAt };
  }

  isConfigured({ sms }: StoredSettings): boolean {
    return sms?.enabled === true && sms.originationNumber !== null;
  }

  /** SNS writes delivery receipts to a log, from which a forwarder of the account posts them. */
  resultsReportedBy(settings: StoredSettings): ReportedResults {
    const { sms } = settings;
    const hasKey = sms !== null && snsFieldsOf(sms).sealedEventSigningKey !== null;
    const deliveries = hasKey && this.isConfigured(settings);
    return { deliveries, opens: false, clicks: false };
  }

  /** If SNS does not take the sender, such as one of another provider, the number that is set now is used. */
  async sendSms(sms: SmsSubmission, connection: SnsConnection, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { originationNumber, settingsAt } = connection;
    const isOutdated = originationNumber !== null && originationNumber !== sms.sender;
    try {
      return await this.publish(sms, connection, check).catch((error: unknown) => {
        if (!isOutdated || !isInvalidParameter(error)) throw error;
        return this.publish({ ...sms, sender: originationNumber }, connection, check, `, from ${originationNumber}`);
      });
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error, settingsAt);
    }
  }

  private async publish(
    { recipient, sender, text }: SmsSubmission,
    { access, senderId }: SnsConnection,
    check: SubmissionCheck,
    from = '',
  ): Promise<ProviderReceipt> {
    const command = new (snsSdk().PublishCommand)({
      PhoneNumber: recipient,
      Message: text,
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': stringValue('Transactional'),
        'AWS.MM.SMS.OriginationNumber': stringValue(sender),
        ...(senderId === null ? {} : { 'AWS.SNS.SMS.SenderID': stringValue(senderId) }),
      },
    });
    command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);
    const { MessageId = '' } = await this.clients.submit(access, (client) => client.send(command));
    return { provider: this.kind, providerMessageId: MessageId, response: `SNS accepted it as ${MessageId}${from}` };
  }

  optOutsOf({ access }: SnsConnection): OptOutList {
    return this.account.optOutsOf(access);
  }

  describe({ access }: SnsConnection): Promise<SmsAccountState> {
    return this.account.describe(access);
  }

  limitOf({ access, maxSendRate, originationNumber }: SnsConnection): SendingLimit {
    return { rate: maxSendRate, key: `sns ${awsOwner(access)} ${originationNumber ?? ''}` };
  }
}

const stringValue = (text: string): MessageAttributeValue => ({ DataType: 'String', StringValue: text });
