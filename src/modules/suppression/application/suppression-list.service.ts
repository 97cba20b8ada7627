import { Injectable } from '@nestjs/common';

import { normaliseAddress } from '../../../shared/address.js';
import type { Channel } from '../../../shared/channel.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { SuppressionReason } from '../domain/suppression.js';
import { type SubmissionRefusal, SuppressionRepository } from './ports/suppression.repository.js';

/** Looks up addresses that an account must not send to. */
@Injectable()
export class SuppressionList {
  constructor(private readonly suppressions: SuppressionRepository) {}

  /**
   * Whether the address is suppressed, in any spelling. Rejects if the look-up fails and throws invalid if it is not an
   * address of the channel: the caller must not send then.
   */
  async isSuppressed(accountId: string, channel: Channel, address: string): Promise<boolean> {
    return (await this.findRefusalToAccept({ accountId, channel, recipient: address })) === 'suppressed';
  }

  /**
   * The reason why a message to the address, with this topic, must not be accepted; null if it may be. Throws like
   * `isSuppressed`.
   */
  async findRefusalToAccept(message: {
    accountId: string;
    channel: Channel;
    recipient: string;
    topicId?: string | null | undefined;
  }): Promise<'suppressed' | 'unknown_topic' | { topic: string } | null> {
    const { topicId = null } = message;
    const refusal = await this.findRefusal({ ...message, topicId, campaignId: null });
    return refusal === null || refusal === 'unknown_topic' || typeof refusal === 'object' ? refusal : 'suppressed';
  }

  /**
   * The reason why a message must not be submitted: one look at suppressions, at its topic, at the state of its
   * campaign and, for a campaign, at the consent if the account requires it. Throws like `isSuppressed`.
   */
  async findRefusal(message: {
    accountId: string;
    channel: Channel;
    recipient: string;
    campaignId: string | null;
    topicId: string | null;
  }): Promise<SubmissionRefusal | null> {
    const { accountId, channel, recipient, campaignId, topicId } = message;
    const address = normalised(channel, recipient);
    return this.suppressions.findRefusal({ accountId, channel, address, campaignId, topicId });
  }

  /**
   * The hash by which the address is found among erased ones, of which nothing else is stored. Throws like
   * `isSuppressed`.
   */
  hashOf(accountId: string, channel: Channel, address: string): string {
    return this.suppressions.hashOf(accountId, channel, normalised(channel, address));
  }

  /** See `SuppressionRepository.findReasons`; for normalised email addresses. */
  findReasons(accountId: string, emails: readonly string[]): Promise<Map<string, SuppressionReason | 'erased'>> {
    return this.suppressions.findReasons(accountId, 'email', emails);
  }

  /**
   * Counts the recipients who unsubscribed by a message of the campaign and are still suppressed for that reason, by
   * campaign id. Campaigns without any are missing.
   */
  countUnsubscribed(accountId: string, campaignIds: readonly string[]): Promise<Map<string, number>> {
    return this.suppressions.countUnsubscribed(accountId, campaignIds);
  }
}

function normalised(channel: Channel, address: string): string {
  const form = normaliseAddress(channel, address);
  if (form !== null) return form;
  throw DomainError.invalid(`${address} is not ${channel === 'email' ? 'an email address' : 'a phone number'}`);
}
