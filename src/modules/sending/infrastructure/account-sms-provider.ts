import { type MessageAttributeValue, PublishCommand } from '@aws-sdk/client-sns';
import { Injectable } from '@nestjs/common';

import { askFirst, LAST_STEP, SnsClients } from '../../../platform/aws/aws-clients.js';
import type { SubmissionCheck } from '../../../shared/submission-check.js';
import { ProviderDirectory } from '../../accounts/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import type { ProviderReceipt } from '../application/ports/message-provider.js';
import { TransientDeliveryError } from '../domain/delivery-error.js';
import { isOfCheck } from '../domain/submission-refused.js';
import { toDeliveryError } from './sns-error.js';

/** Amazon SNS, as the account's settings say at the time of the hand-over. */
@Injectable()
export class AccountSmsProvider {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly clients: SnsClients,
  ) {}

  async send({ accountId, recipient, sender, text }: ClaimedMessage, check: SubmissionCheck): Promise<ProviderReceipt> {
    const provider = await this.providers.findSms(accountId);
    if (!provider) throw new TransientDeliveryError('SMS is not enabled');
    const command = new PublishCommand({
      PhoneNumber: recipient,
      Message: text ?? '',
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': stringValue('Transactional'),
        'AWS.MM.SMS.OriginationNumber': stringValue(sender),
        ...(provider.senderId === null ? {} : { 'AWS.SNS.SMS.SenderID': stringValue(provider.senderId) }),
      },
    });
    command.middlewareStack.add(askFirst(check), LAST_STEP);
    try {
      const { MessageId = '' } = await this.clients.submit(provider.access, (client) => client.send(command));
      return { provider: 'sns', providerMessageId: MessageId, response: `SNS accepted it as ${MessageId}` };
    } catch (error) {
      throw isOfCheck(error) ? error : toDeliveryError(error, provider.settingsAt);
    }
  }
}

const stringValue = (text: string): MessageAttributeValue => ({ DataType: 'String', StringValue: text });
