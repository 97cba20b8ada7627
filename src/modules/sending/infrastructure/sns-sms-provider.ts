import type { MessageAttributeValue } from '@aws-sdk/client-sns';
import { Injectable } from '@nestjs/common';

import { snsSdk } from '../../../platform/aws/aws-sdk.js';
import { AFTER_SIGNING, confirmFirst, SnsClients } from '../../../platform/aws/aws-clients.js';
import type { SmsProvider } from '../../../shared/account-provider.js';
import type { SubmissionCheck } from '../../../shared/submission-check.js';
import type { ClaimedMessage } from '../../messages/index.js';
import type { ProviderReceipt } from '../application/ports/message-provider.js';
import { isFromCheck } from '../domain/submission-refused.js';
import { toDeliveryError } from './sns-error.js';

@Injectable()
export class SnsSmsProvider {
  constructor(private readonly clients: SnsClients) {}

  async send(
    { recipient, sender, text }: ClaimedMessage,
    provider: SmsProvider,
    check: SubmissionCheck,
  ): Promise<ProviderReceipt> {
    const command = new (snsSdk().PublishCommand)({
      PhoneNumber: recipient,
      Message: text ?? '',
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': stringValue('Transactional'),
        'AWS.MM.SMS.OriginationNumber': stringValue(sender),
        ...(provider.senderId === null ? {} : { 'AWS.SNS.SMS.SenderID': stringValue(provider.senderId) }),
      },
    });
    command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);
    try {
      const { MessageId = '' } = await this.clients.submit(provider.access, (client) => client.send(command));
      return { provider: 'sns', providerMessageId: MessageId, response: `SNS accepted it as ${MessageId}` };
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error, provider.settingsAt);
    }
  }
}

const stringValue = (text: string): MessageAttributeValue => ({ DataType: 'String', StringValue: text });
