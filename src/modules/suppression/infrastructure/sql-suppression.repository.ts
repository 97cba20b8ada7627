import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../concurrency/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import type { Channel } from '../../../shared/channel.js';
import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import {
  type ExpectedCause,
  type Submission,
  type SubmissionRefusal,
  type SuppressionFilter,
  SuppressionRepository,
  type WrittenSuppression,
} from '../application/ports/suppression.repository.js';
import { isFromOperator } from '../domain/suppression-precedence.js';
import { Suppression, type SuppressionReason, type SuppressionSource } from '../domain/suppression.js';
import { AddressHashes } from '../../../platform/crypto/address-hashes.js';
import { countSuppressions, listSuppressions, listSuppressionsAfter } from './suppression-list.sql.js';
import {
  ADD_ACROSS_ACCOUNTS,
  BLOCK_NUMBERS,
  COUNT_UNSUBSCRIBED,
  ERASED,
  FIND,
  GET,
  REASONS,
  REMOVE,
  REMOVE_OPT_OUT,
  REMOVE_SYNCED,
  SUBMISSION_REFUSALS,
  submissionValues,
} from './suppression.sql.js';

@Injectable()
export class SqlSuppressionRepository extends SuppressionRepository {
  private readonly lookUps = new Batcher<Submission, SubmissionRefusal | null>((some) => this.findRefusals(some), {
    maxSize: 200,
    faults: POSTGRES_FAULTS,
  });

  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
  ) {
    super();
  }

  findRefusal(submission: Submission): Promise<SubmissionRefusal | null> {
    return this.lookUps.add(submission);
  }

  hashOf(accountId: string, channel: Channel, address: string): string {
    return this.hashes.hash(accountId, channel, address);
  }

  async find(accountId: string, channel: Channel, address: string): Promise<Suppression | null> {
    const [suppression] = await this.query(FIND, [
      accountId,
      channel,
      address,
      this.hashes.hash(accountId, channel, address),
    ]);
    return suppression ?? null;
  }

  async findById(accountId: string, id: string): Promise<Suppression | null> {
    const [suppression] = await this.query(GET, [accountId, id]);
    return suppression ?? null;
  }

  async findReasons(
    accountId: string,
    channel: Channel,
    addresses: readonly string[],
  ): Promise<Map<string, SuppressionReason | 'erased'>> {
    const values = [accountId, channel, addresses];
    const rows = await this.database.query<{ address: string | null; reason: SuppressionReason }>(REASONS, values);
    const reasons = new Map<string, SuppressionReason | 'erased'>();
    for (const { address, reason } of rows) if (address !== null) reasons.set(address, reason);
    // Hashing an address takes longer than looking it up, and many accounts have erased none.
    if (rows.some(({ address }) => address === null)) {
      const hashes = addresses.map((address) => this.hashes.hash(accountId, channel, address));
      const erased = await this.database.query<{ address: string }>(ERASED, [...values, hashes]);
      for (const { address } of erased) reasons.set(address, 'erased');
    }
    return reasons;
  }

  async addAcrossAccounts(suppressions: readonly Suppression[]): Promise<WrittenSuppression[]> {
    const blocked = suppressions.filter((entry) => entry.channel === 'sms' && isFromOperator(entry));
    if (blocked.length > 0) {
      const numbers = [blocked.map(({ accountId }) => accountId), blocked.map(({ address }) => address)];
      await this.database.query(BLOCK_NUMBERS, numbers);
    }
    const column = (name: keyof Suppression) => suppressions.map((suppression) => suppression[name]);
    type Row = Suppression & { formerReason: SuppressionReason | null; formerSource: SuppressionSource | null };
    const rows = await this.database.query<Row>(ADD_ACROSS_ACCOUNTS, [
      column('id'),
      column('accountId'),
      column('channel'),
      column('address'),
      column('reason'),
      column('source'),
      column('note'),
      column('messageLogId'),
      column('contactId'),
      column('createdAt'),
      suppressions.map(({ accountId, channel, address }) => this.hashes.hash(accountId, channel, address)),
      column('campaignId'),
      column('givenAddress'),
    ]);
    return rows.map(({ formerReason: reason, formerSource: source, ...row }) => ({
      suppression: Object.assign(new Suppression(), row),
      former: reason === null || source === null ? null : { reason, source },
    }));
  }

  async countUnsubscribed(accountId: string, campaignIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.read<{ campaignId: string; unsubscribed: number }>(COUNT_UNSUBSCRIBED, [
      ...[accountId, campaignIds],
    ]);
    return new Map(rows.map(({ campaignId, unsubscribed }) => [campaignId, unsubscribed]));
  }

  async list(accountId: string, filter: SuppressionFilter, page: PageRequest): Promise<Page<Suppression>> {
    const list = listSuppressions(accountId, filter, page);
    const count = countSuppressions(accountId, filter);
    const items = toSuppressions(await this.database.read<Suppression>(list.text, list.values));
    const [counted] = await this.database.read<{ total: number }>(count.text, count.values);
    return toPage(items, counted?.total ?? 0, page);
  }

  async listAfter(accountId: string, filter: SuppressionFilter, id: string, limit: number): Promise<Suppression[]> {
    const { text, values } = listSuppressionsAfter(accountId, filter, id, limit);
    return toSuppressions(await this.database.read<Suppression>(text, values));
  }

  async remove(accountId: string, id: string, { reason, source }: ExpectedCause): Promise<Suppression | null> {
    const [removed] = await this.query(REMOVE, [accountId, id, reason ?? null, source ?? null]);
    return removed ?? null;
  }

  async removeSynced(accountId: string, numbers: readonly string[]): Promise<number> {
    return (await this.database.query(REMOVE_SYNCED, [accountId, numbers])).length;
  }

  async removeOptOut(accountId: string, number: string): Promise<void> {
    await this.database.query(REMOVE_OPT_OUT, [accountId, number]);
  }

  private async findRefusals(submissions: Submission[]): Promise<(SubmissionRefusal | null)[]> {
    type Row = { refusal: Exclude<SubmissionRefusal, object> | 'out_of_topic' | null; topic: string | null };
    const hashed = submissions.map((submission) => ({
      ...submission,
      addressHash: this.hashes.hash(submission.accountId, submission.channel, submission.address),
    }));
    const values = submissionValues(hashed);
    const rows = await this.database.prepared<Row>('submission_refusals', SUBMISSION_REFUSALS, values);
    return rows.map(({ refusal, topic }) => (refusal === 'out_of_topic' ? { topic: topic ?? '' } : refusal));
  }

  private async query(text: string, values: unknown[]): Promise<Suppression[]> {
    return toSuppressions(await this.database.query<Suppression>(text, values));
  }
}

const toSuppressions = (rows: Suppression[]): Suppression[] => rows.map((row) => Object.assign(new Suppression(), row));
