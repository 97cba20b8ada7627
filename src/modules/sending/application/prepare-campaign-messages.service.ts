import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import type { NewCampaignMessage } from '../../messages/index.js';
import { SuppressionList, UnsubscribeLinks } from '../../suppression/index.js';
import type { CampaignRecipient, CampaignSend } from './campaign-send.js';
import { RenderCampaign } from './render-campaign.service.js';

/** Makes messages of the recipients of a campaign. */
@Injectable()
export class PrepareCampaignMessages {
  constructor(
    private readonly campaigns: RenderCampaign,
    private readonly suppressions: SuppressionList,
    private readonly unsubscribeLinks: UnsubscribeLinks,
  ) {}

  /** One message per recipient, in order. Throws `conflict` if the campaign's content is not frozen. */
  async prepare(
    { id, accountId, topicId }: Pick<CampaignSend, 'id' | 'accountId' | 'topicId'>,
    recipients: readonly CampaignRecipient[],
  ): Promise<NewCampaignMessage[]> {
    const content = await this.campaigns.find(accountId, id);
    if (!content) throw DomainError.conflict('The content of the campaign is not kept');
    const emails = recipients.map(({ email }) => normaliseEmail(email));
    const suppressed = await this.suppressions.findReasons(accountId, emails);
    const messages: NewCampaignMessage[] = [];
    const slice = new TimeSlice(accountId);
    for (const [i, { messageId, createdAt, contactId, email, placeholders }] of recipients.entries()) {
      if (slice.isOver) await slice.next();
      const normalisedRecipient = emails[i] ?? '';
      const target = { accountId, messageId, email: normalisedRecipient, topicId };
      const unsubscribeUrl = this.unsubscribeLinks.linkTo(target);
      messages.push({
        id: messageId,
        createdAt,
        contactId,
        recipient: email.trim(),
        normalisedRecipient,
        subject: await this.campaigns.subject(accountId, content, placeholders, unsubscribeUrl),
        placeholders: this.campaigns.used(content, placeholders),
        unsubscribeUrl,
        isSuppressed: suppressed.has(normalisedRecipient),
      });
    }
    return messages;
  }
}
