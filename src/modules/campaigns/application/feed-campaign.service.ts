import { Injectable } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SenderDirectory } from '../../senders/index.js';
import type { PendingMessages } from '../../messages/index.js';
import { CampaignMessages } from '../../sending/index.js';
import type { CampaignRun, WaitingRecipient } from '../domain/campaign-run.js';
import type { FeedWindow } from '../domain/feed-window.js';
import { permits } from '../domain/pace.js';
import { OfferRecipients } from './offer-recipients.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { CampaignRuns } from './ports/campaign-runs.js';

/** Recipients per step. Counting the pending messages takes as long as storing some dozens. */
const MAX_ROOM = 500;
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
    await this.runs.renew(run);
    const pending = await this.messages.countPending(run.accountId, run.id);
    const permitted = run.maxPerMinute === null ? null : permits(run.maxPerMinute, run.pacedUntil, now);
    const room = Math.min(window.room(pending, now.getTime()), permitted?.granted ?? MAX_ROOM, MAX_ROOM);
    // While there is no room under the cap, one recipient is enough to notice when there is.
    const waiting = await this.feed.listWaiting(run, run.isOverCap ? 1 : Math.max(room, 1));
    if (waiting.length === 0) return isNone(pending) && (await this.finish(run)) ? null : FINAL_POLL_MS;
    if (room === 0) return POLL_MS;
    if (!(await this.isSenderVerified(run))) {
      await this.runs.pause(run, 'sender_unverified');
      return null;
    }
    const { accepted, isOverCap } = await this.offer(run, waiting, (used) => permitted?.after(used) ?? null);
    window.add(accepted);
    run.isOverCap = isOverCap;
    if (isOverCap) return CAP_POLL_MS;
    return room === MAX_ROOM ? 0 : POLL_MS;
  }

  /** Offers the recipients in portions, until one ends early. */
  private async offer(
    run: CampaignRun,
    waiting: readonly WaitingRecipient[],
    pacedUntil: (accepted: number) => Date | null,
  ): Promise<{ accepted: number; isOverCap: boolean }> {
    let accepted = 0;
    for (const portion of chunk(waiting, MAX_PORTION)) {
      const before = accepted;
      const offered = await this.offerRecipients.offer(run, portion, (count) => pacedUntil(before + count));
      accepted += offered.accepted;
      Object.assign(run, { fedUpTo: offered.fedUpTo, pacedUntil: pacedUntil(accepted) });
      if (offered.fedUpTo !== portion.at(-1)?.messageId) return { accepted, isOverCap: offered.isOverCap };
    }
    return { accepted, isOverCap: false };
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
