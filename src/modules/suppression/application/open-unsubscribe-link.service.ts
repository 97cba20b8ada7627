import { Injectable } from '@nestjs/common';

import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { type Preferences, ReadPreferences } from './read-preferences.service.js';

/** The address of a link, and whose mail it is about. */
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

  /** Null if there are no topics to choose from, or if nothing is sent to the address whatever its owner chooses. */
  async preferences({ target, account }: OpenedLink): Promise<Preferences | null> {
    const preferences = await this.readPreferences.read(target, account);
    return preferences.topics.length === 0 || preferences.isSuppressed ? null : preferences;
  }
}
