import type { Page, PageRequest } from '../../../../shared/page.js';
import type { CampaignContent } from '../../../messages/index.js';
import type { Campaign, CampaignStatus } from '../../domain/campaign.js';

export interface CampaignFilter {
  /** Part of the name, case-insensitive. */
  search?: string | undefined;
  statuses?: readonly CampaignStatus[] | undefined;
  topicId?: string | undefined;
}

/** Campaigns of one account; those of other accounts and deleted ones are invisible. */
export abstract class CampaignRepository {
  /** Throws a conflict if the account has MAX_CAMPAIGNS; exact under concurrency. */
  abstract add(campaign: Campaign): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, filter: CampaignFilter, page: PageRequest): Promise<Page<Campaign>>;

  abstract find(accountId: string, id: string): Promise<Campaign | null>;

  /**
   * Stores plan and status, and the content to be sent if it is given, unless another call has changed the campaign
   * since it was read; returns whether it did. A worker that runs the campaign loses its claim.
   */
  abstract save(campaign: Campaign, content?: CampaignContent): Promise<boolean>;

  /** Deletes the campaign like `save`. Its recipients are removed later. */
  abstract remove(campaign: Campaign, now: Date): Promise<boolean>;

  /** The content stored by `save`. */
  abstract findContent(accountId: string, id: string): Promise<CampaignContent | null>;

  /** Counts the running campaigns besides this one. */
  abstract countOthersRunning(accountId: string, id: string): Promise<number>;
}
