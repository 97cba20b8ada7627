import { Injectable } from '@nestjs/common';

import { LOGIN_WINDOW_MS, MAX_FAILED_LOGINS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { networkOf } from '../../../shared/ip-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Throttles } from '../../accounts/index.js';
import { AuthenticateKey } from '../../keys/index.js';
import { Refusal } from '../../../mail/reading/refusal.js';

/** The key that a client has proved to know. */
export interface SubmissionClient {
  accountId: string;
  /** Set for test keys: the account that manages the key. */
  testOf: string | null;
  apiKeyId: string;
  dailyLimit: number | null;
}

/** Verifies the keys of SMTP clients as those of HTTP, and limits wrong ones. */
@Injectable()
export class AuthenticateClient {
  constructor(
    private readonly authenticateKey: AuthenticateKey,
    private readonly throttles: Throttles,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws a Refusal: 535, or 421 for the tenth wrong key of a network within 15 minutes and for all that follow. A
   * valid key is accepted even then, so that nobody can lock out others behind the same address.
   */
  async authenticate(secret: string, address: string): Promise<SubmissionClient> {
    try {
      return await this.authenticateAgain(secret, address);
    } catch (error) {
      if (error instanceof Refusal && (await this.countFailure(address)) >= MAX_FAILED_LOGINS)
        throw new Refusal(421, 'Too many failed logins from this address');
      throw error;
    }
  }

  /**
   * Like `authenticate`, in the middle of a session: the key may have been revoked meanwhile. A failure is not counted.
   */
  async authenticateAgain(secret: string, address: string): Promise<SubmissionClient> {
    try {
      const key = await this.authenticateKey.authenticate(secret, address, 'send');
      const { accountId, testOf, id: apiKeyId, messagesPerDay: dailyLimit } = key;
      return { accountId, testOf, apiKeyId, dailyLimit };
    } catch (error) {
      const isRefused = error instanceof DomainError && ['unauthenticated', 'forbidden'].includes(error.kind);
      throw isRefused ? new Refusal(535, error.message) : error;
    }
  }

  private async countFailure(address: string): Promise<number> {
    const now = this.clock.now();
    const windowEndsAt = new Date(now.getTime() + LOGIN_WINDOW_MS);
    const subject = { kind: 'smtp', value: networkOf(address) } as const;
    return (await this.throttles.count(subject, now, windowEndsAt)).attempts;
  }
}
