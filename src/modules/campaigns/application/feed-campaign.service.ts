import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SenderDirectory } from '../../senders/index.js';
import { CampaignMessages, type PendingMessages } from '../../sending/index.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import type { FeedWindow } from '../domain/feed-window.js';
import { permits } from '../domain/pace.js';
import { OfferRecipients } from './offer-recipients.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { CampaignRuns } from './ports/campaign-runs.js';

/** Acceptance locks the counter of the daily cap: other sends of the account wait for as long as a portion takes. */
const MAX_PORTION = 100;
const POLL_MS = 200;
const FINAL_POLL_MS = 1_000;
const CAP_POLL_MS = 5_000;

/** Feeds the recipients of a campaign to message acceptance, a few seconds ahead of the workers. */
@Injectable()
export class FeedCampaign {
  constructor(
    private readonly runs: CampaignRuns,
    private readonly feed: CampaignFeed,
    private readonly offerRecipients: OfferRecipients,
    private readonly messages: CampaignMessages,
    private readonly senders: SenderDirectory,
    private readonly clock: Clock,
  ) {}

  /** Returns after how many milliseconds the next step is due; null if the campaign has ended. Throws ClaimLost. */
  async step(run: CampaignRun, window: FeedWindow): Promise<number | null> {
    const now = this.clock.now();
    await this.runs.renew(run, now);
    const pending = await this.messages.countPending(run.accountId, run.id);
    const permitted = run.maxPerMinute === null ? null : permits(run.maxPerMinute, run.pacedUntil, now);
    const room = Math.min(window.room(pending, now.getTime()), permitted?.granted ?? MAX_PORTION, MAX_PORTION);
    const waiting = await this.feed.listWaiting(run, Math.max(room, 1));
    if (waiting.length === 0) return isNone(pending) && (await this.finish(run)) ? null : FINAL_POLL_MS;
    if (room === 0) return POLL_MS;
    if (!(await this.isSenderVerified(run))) {
      await this.runs.pause(run, 'sender_unverified');
      return null;
    }
    const pacedUntil = (used: number) => permitted?.after(used) ?? null;
    const { fedUpTo, accepted, isOverCap } = await this.offerRecipients.offer(run, waiting, pacedUntil);
    Object.assign(run, { fedUpTo, pacedUntil: pacedUntil(accepted) });
    window.add(accepted);
    if (isOverCap) return CAP_POLL_MS;
    return room === MAX_PORTION ? 0 : POLL_MS;
  }

  /** A campaign is complete when every message is final. */
  private async finish(run: CampaignRun): Promise<boolean> {
    const { queued, sending } = (await this.messages.totals(run.accountId, run.id)).status;
    return queued + sending === 0 && (await this.runs.finish(run, this.clock.now()));
  }

  private async isSenderVerified({ accountId, fromEmail }: CampaignRun): Promise<boolean> {
    try {
      await this.senders.requireVerified(accountId, fromEmail);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'invalid') return false;
      throw error;
    }
  }
}

const isNone = ({ due, postponed }: PendingMessages): boolean => due + postponed === 0;
