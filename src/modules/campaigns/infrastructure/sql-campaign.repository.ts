import { Injectable } from '@nestjs/common';

import { MAX_CAMPAIGNS } from '../../../config/limits.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import type { CampaignContent } from '../../messages/index.js';
import { type CampaignFilter, CampaignRepository } from '../application/ports/campaign.repository.js';
import { Campaign } from '../domain/campaign.js';
import {
  ADD,
  COUNT_OTHERS_RUNNING,
  countCampaigns,
  FIND,
  FIND_CONTENT,
  listCampaigns,
  REMOVE,
  SAVE,
} from './campaign.sql.js';

@Injectable()
export class SqlCampaignRepository extends CampaignRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(campaign: Campaign): Promise<void> {
    const { accountId, status, createdAt } = campaign;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_CAMPAIGNS, rows: 'campaigns' },
      {
        count: () => this.countAll(accountId),
        add: () => this.database.query(ADD, [...planValues(campaign), status, createdAt]),
      },
    );
  }

  async list(accountId: string, filter: CampaignFilter, page: PageRequest): Promise<Page<Campaign>> {
    const rows = listCampaigns(accountId, filter, page);
    const items = await this.database.read<Campaign>(rows.text, rows.values);
    const count = countCampaigns(accountId, filter);
    const [counted] = await this.database.read<{ total: number }>(count.text, count.values);
    return toPage(items.map(toCampaign), counted?.total ?? 0, page);
  }

  async find(accountId: string, id: string): Promise<Campaign | null> {
    const [row] = await this.database.query<Campaign>(FIND, [accountId, id]);
    return row ? toCampaign(row) : null;
  }

  async save(campaign: Campaign, content?: CampaignContent): Promise<boolean> {
    const { status, revision, pauseReason, waitingFor, startedAt, endedAt } = campaign;
    const kept = content === undefined ? null : JSON.stringify(content);
    const values = [...planValues(campaign), status, revision, kept, pauseReason, waitingFor, startedAt, endedAt];
    return (await this.database.query(SAVE, values)).length > 0;
  }

  async remove({ accountId, id, revision }: Campaign, now: Date): Promise<boolean> {
    return (await this.database.query(REMOVE, [accountId, id, revision, now])).length > 0;
  }

  async findContent(accountId: string, id: string): Promise<CampaignContent | null> {
    const [row] = await this.database.query<{ content: CampaignContent | null }>(FIND_CONTENT, [accountId, id]);
    return row?.content ?? null;
  }

  async countOthersRunning(accountId: string, id: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(COUNT_OTHERS_RUNNING, [accountId, id]);
    return row?.count ?? 0;
  }

  private async countAll(accountId: string): Promise<number> {
    const { text, values } = countCampaigns(accountId, {});
    const [row] = await this.database.query<{ total: number }>(text, values);
    return row?.total ?? 0;
  }
}

const toCampaign = (row: Campaign): Campaign => Object.assign(new Campaign(), row);

function planValues(campaign: Campaign): unknown[] {
  const { accountId, id, name, fromEmail, fromName, replyTo, subject, html, text, templateId, variables } = campaign;
  const { listIds, tags, excludeListIds, excludeTags } = campaign.audience;
  return [
    ...[accountId, id, name, fromEmail, fromName, replyTo, subject, html, text, templateId],
    variables === null ? null : JSON.stringify(variables),
    ...[listIds, tags, excludeListIds, excludeTags, campaign.scheduledAt, campaign.maxPerMinute],
    campaign.topicId,
  ];
}
