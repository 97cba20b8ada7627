import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { type CapUsage, IdempotencyStore, type IdempotencyKey } from '../../messages/index.js';

interface Request {
  accountId: string;
  apiKeyId: string;
  mark: IdempotencyKey | undefined;
}

/** What a request that came before has become; it is not counted again. */
export interface Repeated {
  messageId: string;
  usage: null;
}

/** Answers a request with an Idempotency-Key that comes again by the message that it became. */
@Injectable()
export class IdempotentSend {
  constructor(private readonly earlier: IdempotencyStore) {}

  /**
   * Accepts what is new. What came before is recognised by the intake, which has the constraint, or meets another refusal
   * first: since then the recipient may be suppressed or the cap used up. So whatever the refusal, the earlier message is
   * looked for only then, and a new request costs no look-up.
   */
  async answer<Accepted extends { usage: CapUsage }>(
    { accountId, apiKeyId, mark }: Request,
    accept: () => Promise<Accepted>,
  ): Promise<Accepted | Repeated> {
    if (!mark) return accept();
    try {
      return await accept();
    } catch (refusal) {
      const earlier =
        refusal instanceof DomainError ? await this.earlier.find(accountId, apiKeyId, mark.key) : undefined;
      if (!earlier) throw refusal;
      if (earlier.fingerprint === mark.fingerprint) return { messageId: earlier.messageId, usage: null };
      throw DomainError.conflict('Idempotency-Key was used for another request within 24 hours', 'key_used');
    }
  }

  /** Whether such a request was accepted, whatever it said. */
  async isKnown(accountId: string, apiKeyId: string, key: string): Promise<boolean> {
    return (await this.earlier.find(accountId, apiKeyId, key)) !== undefined;
  }
}
