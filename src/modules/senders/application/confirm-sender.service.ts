import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { AccountDirectory, type AccountProfile } from '../../accounts/index.js';
import type { Sender } from '../domain/sender.js';
import { hashToken } from '../domain/verification-mail.js';
import { VerificationTokens } from './ports/sender-verification.js';

/** Shown to the person who opens a mailed link: the address, and the account that will send from it. */
export interface SenderRequest {
  email: string;
  account: AccountProfile;
}

@Injectable()
export class ConfirmSender {
  constructor(
    private readonly tokens: VerificationTokens,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing, because mail scanners open links. Null if the token is unknown, used, replaced or expired. */
  async find(token: string): Promise<SenderRequest | null> {
    return this.describe(await this.tokens.findSenderAcrossAccounts(hashToken(token), this.clock.now()));
  }

  /** Verifies the sender. Works once; returns null for the same tokens as `find`. */
  async confirm(token: string): Promise<SenderRequest | null> {
    return this.describe(await this.tokens.redeemAcrossAccounts(hashToken(token), this.clock.now()));
  }

  private async describe(sender: Sender | null): Promise<SenderRequest | null> {
    if (!sender) return null;
    const account = await this.accounts.findProfile(sender.accountId);
    return account && { email: sender.email, account };
  }
}
