import { Injectable } from '@nestjs/common';

import type { Channel } from '../../../shared/channel.js';
import { DomainError } from '../../../shared/domain-error.js';
import { normaliseAddress, type SuppressionReason } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

/** Whom an account must not send to. */
@Injectable()
export class SuppressionList {
  constructor(private readonly suppressions: SuppressionRepository) {}

  /**
   * Whether any spelling of the address is suppressed. Rejects when that cannot be found out, and throws invalid for
   * what is no address of the channel: the caller then does not send.
   */
  async isSuppressed(accountId: string, channel: Channel, address: string): Promise<boolean> {
    const normalised = normaliseAddress(channel, address);
    if (normalised === null) {
      throw DomainError.invalid(`${address} is not ${channel === 'email' ? 'an email address' : 'a phone number'}`);
    }
    return this.suppressions.isSuppressed(accountId, channel, normalised);
  }

  /** Why each of these normalised email addresses is suppressed; those that are not are missing, `erased` that its contact was. Sees the running transaction. */
  reasons(accountId: string, emails: readonly string[]): Promise<Map<string, SuppressionReason | 'erased'>> {
    return this.suppressions.reasons(accountId, 'email', emails);
  }
}
