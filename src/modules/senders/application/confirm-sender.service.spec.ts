import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import type { AccountDirectory } from '../../accounts/index.js';
import type { Sender } from '../domain/sender.js';
import { hashToken, newToken } from '../domain/verification-mail.js';
import { ConfirmSender } from './confirm-sender.service.js';
import { VerificationTokens } from './ports/sender-verification.js';

const NOW = new Date('2027-01-04T12:00:00Z');

/** Knows one token, until it is redeemed. */
class OneToken extends VerificationTokens {
  constructor(private hash: Buffer | null) {
    super();
  }

  findSenderAcrossAccounts(tokenHash: Buffer): Promise<Sender | null> {
    const isKnown = this.hash?.equals(tokenHash) === true;
    return Promise.resolve(isKnown ? ({ accountId: 'a', email: 'Ada@example.com' } as Sender) : null);
  }

  async redeemAcrossAccounts(tokenHash: Buffer): Promise<Sender | null> {
    const sender = await this.findSenderAcrossAccounts(tokenHash);
    if (sender) this.hash = null;
    return sender;
  }
}

const ACCOUNT = { name: 'Acme', logoUrl: null, color: '#336699' };

describe('ConfirmSender', () => {
  const token = newToken();
  const setUp = () =>
    new ConfirmSender(
      new OneToken(hashToken(token)),
      { findProfile: () => Promise.resolve(ACCOUNT) } as unknown as AccountDirectory,
      { now: () => NOW } as unknown as Clock,
    );
  const request = { email: 'Ada@example.com', account: ACCOUNT };

  it('shows the request any number of times without confirming it', async () => {
    const service = setUp();
    expect([await service.find(token), await service.find(token)]).toEqual([request, request]);
    expect(await service.confirm(token)).toEqual(request);
  });

  it('confirms once', async () => {
    const service = setUp();
    expect(await service.confirm(token)).toEqual(request);
    expect([await service.confirm(token), await service.find(token)]).toEqual([null, null]);
  });

  it('does not know another token', async () => {
    const service = setUp();
    expect([await service.find(newToken()), await service.confirm(newToken())]).toEqual([null, null]);
  });
});
