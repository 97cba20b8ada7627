import { Injectable } from '@nestjs/common';

import { RequiredConsent } from '../../consent/index.js';
import type { AudienceContact } from '../../contacts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { Unwilling } from '../domain/campaign-recipient.js';
import type { CampaignRun } from '../domain/campaign-run.js';

/** Finds contacts that a campaign leaves out because of what they have, or have not, agreed to. */
@Injectable()
export class FindUnwilling {
  constructor(
    private readonly consents: RequiredConsent,
    private readonly topics: TopicDirectory,
  ) {}

  /** Sees the current transaction. */
  async find(
    { accountId, topicId }: Pick<CampaignRun, 'accountId' | 'topicId'>,
    contacts: Iterable<AudienceContact>,
  ): Promise<Unwilling> {
    const emails = [...contacts].map(({ normalisedEmail }) => normalisedEmail);
    const outOfTopic = topicId === null ? new Set<string>() : await this.topics.findOut(accountId, emails, topicId);
    return { outOfTopic, lackingConsent: await this.consents.findLacking(accountId, emails, topicId) };
  }
}
