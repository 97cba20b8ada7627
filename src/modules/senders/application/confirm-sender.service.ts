import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { AccountDirectory } from '../../accounts/index.js';
import type { Sender } from '../domain/sender.js';
import { hashToken } from '../domain/verification-token.js';
import { MailedTokens } from './ports/mailed-tokens.js';

/** What the holder of a mailed link is told: which address, and who is going to send from it. */
export interface SenderRequest {
  email: string;
  accountName: string;
}

@Injectable()
export class ConfirmSender {
  constructor(
    private readonly tokens: MailedTokens,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing: mail scanners follow links. Null for a token that is unknown, used, replaced or expired. */
  async find(token: string): Promise<SenderRequest | null> {
    return this.describe(await this.tokens.findSenderAcrossAccounts(hashToken(token), this.clock.now()));
  }

  /** Verifies the sender; once, so null for a token that `find` would not know. */
  async confirm(token: string): Promise<SenderRequest | null> {
    return this.describe(await this.tokens.redeemAcrossAccounts(hashToken(token), this.clock.now()));
  }

  private async describe(sender: Sender | null): Promise<SenderRequest | null> {
    if (!sender) return null;
    const { name } = await this.accounts.get(sender.accountId);
    return { email: sender.email, accountName: name };
  }
}
