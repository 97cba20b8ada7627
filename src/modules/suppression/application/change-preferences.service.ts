import { Injectable } from '@nestjs/common';

import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { TimelineRepository } from '../../messages/index.js';
import { topicWords } from '../../topics/index.js';
import { findMessage } from './find-message.js';
import type { OpenedLink } from './open-unsubscribe-link.service.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { type Preferences, ReadPreferences } from './read-preferences.service.js';
import { type Client, type PreferenceChange, RecordPreferences } from './record-preferences.service.js';

/** The choices that a person made on the page. Topics and tracking that the page did not show cannot be changed. */
export interface PreferenceChoices {
  /** Changed subscriptions: whether to be subscribed, by the id of the topic. */
  topics: ReadonlyMap<string, boolean>;
  /** The ids of topics that were not chosen before and are not now. */
  notChosen: ReadonlySet<string>;
  /** Null: not changed. */
  isTracked: boolean | null;
  /** The wording about tracking on the page. */
  trackingWords: string;
}

type Change = PreferenceChange['changes'][number];

/** Records what recipients choose on the page of the link in their mail. */
@Injectable()
export class ChangePreferences {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: SuppressedContacts,
    private readonly messages: TimelineRepository,
    private readonly preferences: ReadPreferences,
    private readonly recordPreferences: RecordPreferences,
  ) {}

  /**
   * Changes those of the topics that the person can see, and nothing that is so already; a topic that is not chosen,
   * and some of whose messages came nevertheless, is withdrawn. To a suppressed address nothing is sent whatever it
   * agrees to: only what it withdraws is recorded, and its choice about tracking, which counts for the mail that it
   * has.
   */
  async save({ target, account }: OpenedLink, choices: PreferenceChoices, client: Client): Promise<void> {
    const campaignId = (await findMessage(this.messages, target))?.campaignId ?? null;
    await this.transactions.runInLane(target.accountId, async () => {
      await this.lock(target);
      const current = await this.preferences.read(target, account);
      if (current.isErased) return;
      const allowed = changesFrom(current, choices).filter(
        ({ action, purpose }) => !current.isSuppressed || action === 'withdrawn' || purpose === 'tracking',
      );
      await this.recordPreferences.record([{ target, campaignId, changes: allowed, source: 'preferences', client }]);
    });
  }

  /** Requests of the same person, and suppression and erasure, take turns. */
  private lock({ accountId, email }: UnsubscribeTarget): Promise<void> {
    return this.contacts.lock([accountId], [{ accountId, email }]);
  }
}

function changesFrom(
  current: Preferences,
  { topics, notChosen, isTracked, trackingWords }: PreferenceChoices,
): Change[] {
  const ofTopics: Change[] = current.topics.flatMap(({ topic, isSubscribed, isOut }) => {
    const wanted = topics.get(topic.id) ?? isSubscribed;
    const getsSome = !isSubscribed && !isOut;
    if (wanted === isSubscribed && !(getsSome && notChosen.has(topic.id))) return [];
    return { topicId: topic.id, ...actionOf(wanted, topicWords(topic)) };
  });
  const isAboutTracking = current.isTracked !== null && isTracked !== null && isTracked !== current.isTracked;
  return isAboutTracking ? [...ofTopics, { purpose: 'tracking', ...actionOf(isTracked, trackingWords) }] : ofTopics;
}

/** `words`: the wording that is agreed to. */
const actionOf = (isWanted: boolean, words: string): Pick<Change, 'action' | 'wording'> =>
  isWanted ? { action: 'granted', wording: { version: null, text: words } } : { action: 'withdrawn' };
