import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { ContactAudience, ListDirectory } from '../../contacts/index.js';
import { type Audience, MAX_RECIPIENTS } from '../domain/campaign.js';
import { ReadCampaigns } from './read-campaigns.service.js';

/** Counts the audience of a campaign, and checks it. */
@Injectable()
export class CountAudience {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly contacts: ContactAudience,
    private readonly lists: ListDirectory,
  ) {}

  async of(accountId: string, campaignId: string): Promise<{ active: number; suppressed: number }> {
    return this.contacts.count(accountId, (await this.campaigns.find(accountId, campaignId)).audience);
  }

  /** Throws `invalid`, naming the field, for a list or tag that does not exist. */
  async requireKnown(accountId: string, { listIds, tags, excludeListIds, excludeTags }: Audience): Promise<void> {
    await this.lists.require(accountId, 'audience.listIds', listIds);
    await this.lists.require(accountId, 'audience.excludeListIds', excludeListIds);
    await this.requireTags(accountId, 'audience.tags', tags);
    await this.requireTags(accountId, 'audience.excludeTags', excludeTags);
  }

  /** Throws `conflict` if a list of contacts to leave out was deleted: who was on it is not known any more. */
  async withoutDeletedLists(accountId: string, audience: Audience): Promise<Audience> {
    const { listIds, excludeListIds } = audience;
    const deleted = await this.lists.findUnknown(accountId, [...listIds, ...excludeListIds]);
    if (excludeListIds.some((id) => deleted.has(id)))
      throw DomainError.conflict('An excluded list was deleted: cancel the campaign and start a copy', 'list_deleted');
    return { ...audience, listIds: listIds.filter((id) => !deleted.has(id)) };
  }

  /** Throws `invalid` for an audience that no campaign can be sent to. */
  async requireSendable(accountId: string, audience: Audience): Promise<void> {
    const { active, suppressed } = await this.contacts.count(accountId, audience);
    if (active === 0) throw DomainError.invalid('audience has no recipients', 'no_recipients');
    if (active + suppressed > MAX_RECIPIENTS)
      throw DomainError.invalid(`audience has more than ${MAX_RECIPIENTS} recipients`, 'too_many_recipients');
  }

  private async requireTags(accountId: string, field: string, tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return;
    const unknown = await this.contacts.findUnknownTags(accountId, tags);
    for (const tag of tags) if (unknown.has(tag)) throw DomainError.invalid(`${field}: there is no tag ${tag}`);
  }
}
