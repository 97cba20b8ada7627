import { Injectable } from '@nestjs/common';

import { RequiredConsent } from '../../consent/index.js';
import type { AudienceContact } from '../../contacts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { Unwilling } from '../domain/campaign-recipient.js';
import type { CampaignRun } from '../domain/campaign-run.js';

/** Finds contacts that a campaign skips because they are out of its topic or lack a required consent. */
@Injectable()
export class FindUnwilling {
  constructor(
    private readonly consents: RequiredConsent,
    private readonly topics: TopicDirectory,
  ) {}

  /** Reads within the current transaction. */
  async find(
    { accountId, topicId }: Pick<CampaignRun, 'accountId' | 'topicId'>,
    contacts: Iterable<AudienceContact>,
  ): Promise<Unwilling> {
    const emails = [...contacts].map(({ normalisedEmail }) => normalisedEmail);
    const outOfTopic = topicId === null ? new Set<string>() : await this.topics.findOut(accountId, emails, topicId);
    return { outOfTopic, lackingConsent: await this.consents.findLacking(accountId, emails, topicId) };
  }
}
