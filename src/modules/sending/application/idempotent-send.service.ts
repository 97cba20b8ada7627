import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { type CapUsage, type IdempotencyKey, type IdempotencyRecord, IdempotencyStore } from '../../messages/index.js';

interface Request {
  accountId: string;
  apiKeyId: string;
  idempotencyKey: IdempotencyKey | undefined;
}

/** The message or messages of an earlier, equal request; they are not counted again. */
export interface RepeatedSend extends Pick<IdempotencyRecord, 'messageId' | 'entries'> {
  usage: null;
}

/** Answers a repeated request with an Idempotency-Key by the message of the first one. */
@Injectable()
export class IdempotentSend {
  constructor(private readonly store: IdempotencyStore) {}

  /**
   * The result of a request that is being accepted, or that of an earlier equal one. The earlier message is looked up
   * only if the request is a duplicate or is refused: since the first request the recipient may have been suppressed or
   * the cap used up.
   */
  async acceptOnce<Accepted extends { outcome: 'accepted'; usage: CapUsage }>(
    request: Request,
    accepting: Promise<Accepted | { outcome: 'duplicate' }>,
  ): Promise<Accepted | RepeatedSend> {
    const result = await accepting.catch((error: unknown) => refusalOf(error));
    if (result.outcome === 'accepted') return result;
    const earlier = await this.findEarlier(request);
    if (earlier) return earlier;
    throw result.outcome === 'refused' ? result.refusal : expiredMeanwhile();
  }

  /** Whether a request with this key was accepted, equal or not. */
  async isKnown(accountId: string, apiKeyId: string, key: string): Promise<boolean> {
    return (await this.store.find(accountId, apiKeyId, key)) !== undefined;
  }

  /** Null for a new request. Throws `conflict` if its key is that of a different one. */
  async findEarlier({ accountId, apiKeyId, idempotencyKey }: Request): Promise<RepeatedSend | null> {
    const earlier = idempotencyKey && (await this.store.find(accountId, apiKeyId, idempotencyKey.key));
    if (!earlier) return null;
    const { fingerprint, ...found } = earlier;
    if (fingerprint === idempotencyKey.fingerprint) return { ...found, usage: null };
    throw new DomainError('conflict', 'idempotency_mismatch', REUSED);
  }
}

const REUSED = 'Idempotency-Key was used for another request within 24 hours';

/** Rethrows everything except refusals, which are DomainErrors. */
function refusalOf(error: unknown): { outcome: 'refused'; refusal: DomainError } {
  if (error instanceof DomainError) return { outcome: 'refused', refusal: error };
  throw error;
}

export const expiredMeanwhile = (): DomainError =>
  new DomainError('unavailable', 'overloaded', 'The service is temporarily unavailable', 1);
