import { Injectable } from '@nestjs/common';

import { readAddress } from '../../../shared/address.js';
import type { Channel } from '../../../shared/channel.js';
import { inBatches } from '../../../shared/collections.js';
import { type CursorPage, type CursorRequest, readIdCursor, toCursorPage } from '../../../shared/cursor-page.js';
import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import {
  type ConsentRecord,
  type EffectiveConsent,
  effectiveConsents,
  REPEATED_WITHIN_MS,
  withdrawnAt,
} from '../domain/consent.js';
import { ConsentTopics } from './ports/consent-topics.js';
import { type ConsentFilter, ConsentRepository } from './ports/consent.repository.js';

const EXPORT_BATCH_SIZE = 500;

/** An email address or a phone number, whichever is set. */
export interface GivenAddress {
  email?: string | undefined;
  phone?: string | undefined;
}

export type ConsentQuery = Omit<ConsentFilter, 'address'> & GivenAddress;

@Injectable()
export class ReadConsents {
  constructor(
    private readonly consents: ConsentRepository,
    private readonly topics: ConsentTopics,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async page(
    accountId: string,
    { email, phone, ...filter }: ConsentQuery,
    { cursor, limit }: CursorRequest,
  ): Promise<CursorPage<ConsentRecord>> {
    const beforeId = readIdCursor(cursor);
    if (filter.topicId !== undefined) await this.topics.requireKnown(accountId, 'topicId', filter.topicId);
    const isOfOne = email !== undefined || phone !== undefined;
    const address = isOfOne ? { address: namedAddress({ email, phone }) } : {};
    const rows = await this.consents.list(accountId, { ...filter, ...address }, { beforeId, limit: limit + 1 });
    return toCursorPage(rows, limit, ({ id }) => id);
  }

  async get(accountId: string, id: string): Promise<ConsentRecord> {
    const record = isId(id) ? await this.consents.find(accountId, id) : null;
    if (!record) throw DomainError.notFound('Consent');
    return record;
  }

  /** The effective consent for each purpose, and for each topic with a record of its own. */
  async standing(accountId: string, given: GivenAddress): Promise<EffectiveConsent[]> {
    const { channel, address } = namedAddress(given);
    return effectiveConsents(await this.consents.listStanding(accountId, channel, address));
  }

  /**
   * Whether the address, which is normalised, has withdrawn its consent to marketing about the topic or, with null,
   * about all: less than REPEATED_WITHIN_MS ago, or before.
   */
  async withdrawal(
    accountId: string,
    channel: Channel,
    address: string,
    topicId: string | null,
  ): Promise<'just_now' | 'before' | 'none'> {
    const time = withdrawnAt(await this.consents.listStanding(accountId, channel, address), 'marketing', topicId);
    if (time === null) return 'none';
    return this.clock.now().getTime() - time.getTime() < REPEATED_WITHIN_MS ? 'just_now' : 'before';
  }

  /** Yields all records of one address, newest first, in at least one batch. */
  listAll(accountId: string, given: GivenAddress): AsyncGenerator<ConsentRecord[], void> {
    const address = namedAddress(given);
    return inBatches(EXPORT_BATCH_SIZE, (last) =>
      this.consents.list(accountId, { address }, { beforeId: last?.id ?? null, limit: EXPORT_BATCH_SIZE }),
    );
  }
}

function namedAddress(given: GivenAddress): { channel: Channel; address: string } {
  const { channel, normalised } = readAddress(given);
  return { channel, address: normalised };
}
