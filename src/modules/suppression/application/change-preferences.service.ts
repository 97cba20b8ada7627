import { Injectable } from '@nestjs/common';

import { PERSON } from '../../../shared/actor.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type NewConsent, RecordConsents } from '../../consent/index.js';
import type { Topic } from '../../topics/index.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';
import type { OpenedLink } from './open-unsubscribe-link.service.js';
import { type Preferences, ReadPreferences } from './read-preferences.service.js';

/** From where somebody acts. */
export interface Client {
  ip: string | null;
  userAgent: string | null;
}

/** What somebody has changed on the page. What it did not show cannot be changed. */
export interface PreferenceChanges {
  /** Whether to be subscribed, by the id of the topic. */
  topics: ReadonlyMap<string, boolean>;
  isTracked: boolean | null;
}

type Change = Pick<NewConsent, 'action' | 'condition' | 'topicId' | 'purpose'>;

/** Records what recipients choose by the links in their mails, with one event for each request with changes. */
@Injectable()
export class ChangePreferences {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: SuppressedContacts,
    private readonly preferences: ReadPreferences,
    private readonly consents: RecordConsents,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes those of the topics that the person can see, and nothing that is so already. To a suppressed address
   * nothing is sent whatever it agrees to: withdrawals alone are recorded.
   */
  async save({ target, account }: OpenedLink, changes: PreferenceChanges, client: Client): Promise<void> {
    await this.transactions.runInLane(target.accountId, async () => {
      await this.lock(target);
      const current = await this.preferences.read(target, account);
      const wanted = changesFrom(current, changes);
      const allowed = current.isSuppressed ? wanted.filter(({ action }) => action === 'withdrawn') : wanted;
      if (!current.isErased) await this.record(target, allowed, 'preferences', client);
    });
  }

  /**
   * Withdraws the topic of the mail alone, once; also from somebody who is out of it by default, so that this stays so.
   * Returns the topic; null, having changed nothing, if the mail has none or it was deleted.
   */
  leaveTopic(target: UnsubscribeTarget, client: Client): Promise<Topic | null> {
    return this.transactions.runInLane(target.accountId, async () => {
      await this.lock(target);
      const { topics, isErased } = await this.preferences.read(target, { asksToTrack: false });
      const found = topics.find(({ topic }) => topic.id === target.topicId);
      if (!found) return null;
      const change = { topicId: found.topic.id, action: 'withdrawn', condition: 'unless_withdrawn' } as const;
      if (!isErased) await this.record(target, [change], 'one_click', client);
      return found.topic;
    });
  }

  /** Requests of the same person, and suppression and erasure, take turns. */
  private lock({ accountId, email }: UnsubscribeTarget): Promise<void> {
    return this.contacts.lock([accountId], [{ accountId, email }]);
  }

  private async record(
    { accountId, email, messageId: messageLogId }: UnsubscribeTarget,
    changes: readonly Change[],
    source: 'preferences' | 'one_click',
    client: Client,
  ): Promise<void> {
    const [contact] = await this.contacts.findAcrossAccounts([{ accountId, email }]);
    const contactId = contact?.contactId ?? null;
    const about = { accountId, channel: 'email', address: email, contactId, messageLogId } as const;
    const ids = await this.consents.record(
      changes.map((change) => ({ ...about, ...change, ...client, source, actor: PERSON })),
    );
    const recorded = changes.filter((_, i) => ids[i] !== null);
    if (recorded.length === 0) return;
    const topics = recorded.flatMap(({ topicId, action }) =>
      topicId == null ? [] : { topicId, subscribed: action === 'granted' },
    );
    const data = { email, contactId, topics, source };
    await this.outbox.add([{ type: 'contact.preferences_changed', accountId, occurredAt: this.clock.now(), data }]);
  }
}

function changesFrom(current: Preferences, { topics, isTracked }: PreferenceChanges): Change[] {
  const ofTopics: Change[] = current.topics.flatMap(({ topic: { id: topicId }, isSubscribed }) => {
    const wanted = topics.get(topicId) ?? isSubscribed;
    return wanted === isSubscribed ? [] : { topicId, action: actionOf(wanted) };
  });
  const isAboutTracking = current.isTracked !== null && isTracked !== null && isTracked !== current.isTracked;
  return isAboutTracking ? [...ofTopics, { purpose: 'tracking', action: actionOf(isTracked) }] : ofTopics;
}

const actionOf = (isWanted: boolean): 'granted' | 'withdrawn' => (isWanted ? 'granted' : 'withdrawn');
