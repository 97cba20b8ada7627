import { Injectable } from '@nestjs/common';

import { AccountDirectory } from '../../accounts/index.js';
import { UnsubscribeLinks, type UnsubscribeTarget } from './ports/unsubscribe-links.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

/** What the holder of a link is told: which address, and whose mail. */
export interface UnsubscribeRequest {
  email: string;
  accountName: string;
}

@Injectable()
export class Unsubscribe {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly accounts: AccountDirectory,
    private readonly suppressAddresses: SuppressAddresses,
  ) {}

  /** Changes nothing: mail scanners follow links. Null for a token that is not ours. */
  async find(token: string): Promise<UnsubscribeRequest | null> {
    const target = this.links.read(token);
    return target && this.describe(target);
  }

  /** Suppresses the address, however often it is asked to. Null, and nothing suppressed, for a token that is not ours. */
  async confirm(token: string, source: 'one_click' | 'form'): Promise<UnsubscribeRequest | null> {
    const target = this.links.read(token);
    if (!target) return null;
    const request = await this.describe(target);
    const { accountId, email: address, messageId: messageLogId } = target;
    const cause = { accountId, channel: 'email', address, reason: 'unsubscribed', source, messageLogId } as const;
    await this.suppressAddresses.suppress([cause]);
    return request;
  }

  private async describe({ accountId, email }: UnsubscribeTarget): Promise<UnsubscribeRequest> {
    const { name } = await this.accounts.get(accountId);
    return { email, accountName: name };
  }
}
