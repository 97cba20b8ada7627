import { Injectable } from '@nestjs/common';

import { ContactAudience } from '../../contacts/index.js';
import { RenderTemplate } from '../../templates/index.js';
import type { Campaign } from '../domain/campaign.js';
import { CheckContent } from './check-content.service.js';
import { CountAudience } from './count-audience.service.js';
import { CampaignRepository } from './ports/campaign.repository.js';
import { ReadCampaigns } from './read-campaigns.service.js';

/** A placeholder of a campaign, and the recipients for whom it renders empty. */
export interface MissingValue {
  name: string;
  recipients: number;
}

/** Limits the cost: each name is looked up for each contact of the audience. */
const MAX_NAMES = 20;
const LINK = 'https://example.com/u/sample';
/** Values that exist for every contact and message. */
const ALWAYS_KNOWN = { email: 'recipient@example.com', unsubscribeUrl: LINK, preferencesUrl: LINK };

/** Finds the placeholders of a campaign that neither variables nor contacts fill. */
@Injectable()
export class FindMissingValues {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly reader: ReadCampaigns,
    private readonly content: CheckContent,
    private readonly templates: RenderTemplate,
    private readonly contacts: ContactAudience,
    private readonly audiences: CountAudience,
  ) {}

  /**
   * Counts the contacts that the campaign would be sent to now, for the first 20 placeholders. Placeholders in a
   * section count if the section is shown for a contact of whom only the address is known. Throws like the check of a
   * draft for content that cannot be rendered.
   */
  async find(accountId: string, id: string): Promise<MissingValue[]> {
    const campaign = await this.reader.get(accountId, id);
    const names = (await this.unfilledNames(campaign)).slice(0, MAX_NAMES);
    if (names.length === 0) return [];
    const rules = await this.audiences.rulesOf(accountId, campaign.topicId);
    const without = await this.contacts.countWithout(accountId, campaign.audience, names, rules);
    return [...without].flatMap(([name, recipients]) => (recipients > 0 ? [{ name, recipients }] : []));
  }

  /** Returns the names in order of appearance. A campaign that has been started has content of its own. */
  private async unfilledNames(campaign: Campaign): Promise<string[]> {
    const { accountId, id } = campaign;
    const frozen = campaign.status === 'draft' ? null : await this.campaigns.findContent(accountId, id);
    const { subject, html, text } = frozen ?? (await this.content.resolve(campaign));
    const variables = { ...(frozen ?? campaign).variables, ...ALWAYS_KNOWN };
    const missing = new Set<string>();
    await this.templates.renderParts(accountId, { subject, html, text }, variables, missing);
    return [...missing];
  }
}
