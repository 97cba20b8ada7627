import { Injectable } from '@nestjs/common';

import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { type Preferences, ReadPreferences } from './read-preferences.service.js';

/** The target of a link, and the profile of its account. */
export interface OpenedLink {
  target: UnsubscribeTarget;
  account: AccountProfile;
}

@Injectable()
export class OpenUnsubscribeLink {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly accounts: AccountDirectory,
    private readonly readPreferences: ReadPreferences,
  ) {}

  /** Changes nothing, because mail scanners follow links. Null for an unknown token or an account that was deleted. */
  async open(token: string): Promise<OpenedLink | null> {
    const target = this.links.read(token);
    const account = target && (await this.accounts.findProfile(target.accountId));
    return account && { target, account };
  }

  /**
   * Null if there is nothing to choose: no topics and no tracking to agree to. Whatever a suppressed address chooses,
   * nothing is sent to it: it has no topics, but the mail from before may be tracked.
   */
  async preferences({ target, account }: OpenedLink): Promise<Preferences | null> {
    const preferences = await this.readPreferences.read(target, account);
    const topics = preferences.isSuppressed ? [] : preferences.topics;
    const hasChoice = topics.length > 0 || preferences.isTracked !== null;
    return hasChoice && !preferences.isErased ? { ...preferences, topics } : null;
  }
}
