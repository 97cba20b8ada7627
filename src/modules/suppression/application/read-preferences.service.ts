import { Injectable } from '@nestjs/common';

import type { AccountProfile } from '../../accounts/index.js';
import { ReadConsents } from '../../consent/index.js';
import { type TopicChoice, TopicDirectory } from '../../topics/index.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import type { UnsubscribeTarget } from './ports/unsubscribe-links.js';

/** The choices of the recipient of a mail, and their present state. */
export interface Preferences {
  /** The public ones and that of the mail, also if it was deleted, oldest first. */
  topics: TopicChoice[];
  /** Whether opens and clicks may be recorded; null if the account does not ask for that. */
  isTracked: boolean | null;
  /** Nothing is sent to the address then, with or without a topic. */
  isSuppressed: boolean;
  /** Nothing may be stored about the address then. */
  isErased: boolean;
}

@Injectable()
export class ReadPreferences {
  constructor(
    private readonly topics: TopicDirectory,
    private readonly consents: ReadConsents,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /** Reads within the current transaction. */
  async read(
    { accountId, email, topicId }: UnsubscribeTarget,
    { asksToTrack }: Pick<AccountProfile, 'asksToTrack'>,
  ): Promise<Preferences> {
    const choices = await this.topics.listChoices(accountId, email, topicId);
    const suppression = await this.suppressions.find(accountId, 'email', email);
    return {
      topics: choices.filter(({ topic }) => topic.visibility === 'public' || topic.id === topicId),
      isTracked: asksToTrack ? await this.isTracked(accountId, email) : null,
      isSuppressed: suppression !== null,
      isErased: suppression?.address === '',
    };
  }

  private async isTracked(accountId: string, email: string): Promise<boolean> {
    const standing = await this.consents.standing(accountId, { email });
    return standing.some(({ purpose, state }) => purpose === 'tracking' && state === 'granted');
  }
}
