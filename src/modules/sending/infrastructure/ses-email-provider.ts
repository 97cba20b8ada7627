import { Injectable } from '@nestjs/common';

import { sesSdk } from '../../../platform/aws/aws-sdk.js';
import { confirmFirst, AFTER_SIGNING, SesClients } from '../../../platform/aws/aws-clients.js';
import type { SesProvider } from '../../../shared/account-provider.js';
import { hasAsciiLocalPart } from '../../../shared/email-address.js';
import type { SubmissionCheck } from '../../../shared/submission-check.js';
import type { OutgoingMessage, ProviderReceipt } from '../application/ports/message-provider.js';
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import { isFromCheck } from '../domain/submission-refused.js';
import { composeEmail } from './compose-email.js';
import { toDeliveryError } from './ses-error.js';
import { BEFORE_SIGNING, RAW_PLACEHOLDER, STREAMED_FROM_BYTES, streamRawContent } from './ses-raw-content.js';
import { SesTracking } from './ses-tracking.js';

@Injectable()
export class SesEmailProvider {
  constructor(
    private readonly clients: SesClients,
    private readonly tracking: SesTracking,
  ) {}

  /** SES replaces the Message-ID, so events are matched by these tags, which SES includes in each of them. */
  async send(message: OutgoingMessage, provider: SesProvider, check: SubmissionCheck): Promise<ProviderReceipt> {
    const { from, to, raw, rest = [] } = await composeEmail(message);
    // The local part must be 7-bit ASCII: SES has no SMTPUTF8 (API reference v2, Destination).
    if (!hasAsciiLocalPart(from) || !hasAsciiLocalPart(to))
      throw new PermanentDeliveryError('Amazon SES does not support addresses with non-ASCII characters before the @');
    const isStreamed = rest.reduce((sum, { length }) => sum + length, raw.length) > STREAMED_FROM_BYTES;
    const command = new (sesSdk().SendEmailCommand)({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: {
        Raw: { Data: isStreamed ? RAW_PLACEHOLDER : rest.length === 0 ? raw : Buffer.concat([raw, ...rest]) },
      },
      EmailTags: [
        { Name: 'account_id', Value: message.accountId },
        { Name: 'message_id', Value: message.id },
      ],
      ...(provider.configurationSet === null ? {} : { ConfigurationSetName: provider.configurationSet }),
    });
    await this.tracking.ensure(provider);
    if (isStreamed) command.middlewareStack.addRelativeTo(streamRawContent([raw, ...rest]), BEFORE_SIGNING);
    command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);
    try {
      const { MessageId = '' } = await this.clients.submit(
        provider.access,
        (client) => client.send(command),
        message.campaignId !== null,
      );
      return { provider: 'ses', providerMessageId: MessageId, response: `SES accepted it as ${MessageId}` };
    } catch (error) {
      throw isFromCheck(error) ? error : toDeliveryError(error, provider.settingsAt);
    }
  }
}
