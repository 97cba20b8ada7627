import { Injectable } from '@nestjs/common';

import { LockedBatcher } from '../../../concurrency/locked-batcher.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { type Client, RecordPreferences } from './record-preferences.service.js';

const MAX_BATCH = 1_000;

/** A click in the mail of a topic. */
export interface TopicClick {
  target: UnsubscribeTarget;
  topicId: string;
  /** The campaign of the mail. */
  campaignId: string | null;
  client: Client;
  /** The recipient had left the topic before: that is recorded, and not reported again. */
  isRepeated: boolean;
}

@Injectable()
export class LeaveTopics {
  private readonly batches: LockedBatcher<TopicClick, null>;

  constructor(
    transactions: TransactionRunner,
    faults: DatabaseFaults,
    private readonly contacts: SuppressedContacts,
    private readonly suppressions: SuppressionRepository,
    private readonly preferences: RecordPreferences,
  ) {
    this.batches = new LockedBatcher((clicks) => this.write(clicks), { transactions, faults, maxSize: MAX_BATCH });
  }

  /**
   * Withdraws a topic of the account alone; also for somebody who is out of it by default, so that this stays so.
   * Nothing is stored about an erased address. Runs in a transaction that concurrent calls of the account share.
   */
  async leave(click: TopicClick): Promise<void> {
    await this.batches.add(click.target.accountId, click);
  }

  /** All clicks are of one account. */
  private async write(clicks: readonly TopicClick[]): Promise<null[]> {
    const first = new Map(clicks.toReversed().map((click) => [`${click.topicId} ${click.target.email}`, click]));
    const targets = [...first.values()].map(({ target }) => target);
    const accountId = targets[0]?.accountId ?? '';
    await this.contacts.lock([accountId], targets);
    const emails = [...new Set(targets.map(({ email }) => email))];
    const reasons = await this.suppressions.findReasons(accountId, 'email', emails);
    const known = [...first.values()].filter(({ target }) => reasons.get(target.email) !== 'erased');
    const leaving = { action: 'withdrawn', condition: 'unless_just_withdrawn' } as const;
    await this.preferences.record(
      known.map(({ topicId, ...click }) => ({ ...click, changes: [{ ...leaving, topicId }], source: 'one_click' })),
    );
    return clicks.map(() => null);
  }
}
