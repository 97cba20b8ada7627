import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { CampaignContents } from '../../application/ports/campaign-contents.js';
import type { CampaignContent, CampaignReference } from '../../domain/campaign-content.js';

@Injectable()
export class SqlCampaignContents extends CampaignContents {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async freeze(accountId: string, { id, name }: CampaignReference, content: CampaignContent): Promise<void> {
    const { subject, html, text, variables } = content;
    const values = [id, accountId, name, subject, html, text, JSON.stringify(variables), this.clock.now()];
    await this.database.query(FREEZE, values);
  }

  async find(accountId: string, campaignId: string): Promise<CampaignContent | null> {
    const [content] = await this.database.query<CampaignContent>(FIND, [accountId, campaignId]);
    return content ?? null;
  }

  async findReferences(accountId: string, campaignIds: readonly string[]): Promise<Map<string, CampaignReference>> {
    if (campaignIds.length === 0) return new Map();
    const rows = await this.database.query<CampaignReference>(FIND_REFERENCES, [accountId, campaignIds]);
    return new Map(rows.map((campaign) => [campaign.id, campaign]));
  }
}

const FREEZE = `
  INSERT INTO campaign_contents (campaign_id, account_id, name, subject, html, text, variables, frozen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (campaign_id) DO NOTHING`;

const FIND = `
  SELECT c.subject, c.html, c.text, c.variables FROM campaign_contents c
  WHERE c.account_id = $1 AND c.campaign_id = $2`;

const FIND_REFERENCES = `
  SELECT c.campaign_id AS id, c.name FROM campaign_contents c WHERE c.account_id = $1 AND c.campaign_id = ANY($2)`;
