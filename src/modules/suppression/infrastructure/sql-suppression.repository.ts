import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import type { Channel } from '../../../shared/channel.js';
import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import {
  type SuppressionFilter,
  SuppressionRepository,
  type WrittenSuppression,
} from '../application/ports/suppression.repository.js';
import { Suppression, type SuppressionReason } from '../domain/suppression.js';
import { AddressHashes } from './address-hashes.js';
import {
  ADD_ACROSS_ACCOUNTS,
  ARE_SUPPRESSED,
  COUNT,
  FIND,
  GET,
  LIST,
  LIST_AFTER,
  REASONS,
  REMOVE,
  REMOVE_SYNCED,
} from './suppression.sql.js';

interface LookUp {
  accountId: string;
  channel: Channel;
  address: string;
}

@Injectable()
export class SqlSuppressionRepository extends SuppressionRepository {
  private readonly lookUps = new Batcher<LookUp, boolean>((lookUps) => this.areSuppressed(lookUps), {
    maxSize: 200,
    isRowFault,
  });

  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
  ) {
    super();
  }

  isSuppressed(accountId: string, channel: Channel, address: string): Promise<boolean> {
    return this.lookUps.add({ accountId, channel, address });
  }

  async find(accountId: string, channel: Channel, address: string): Promise<Suppression | null> {
    const [suppression] = await this.query(FIND, [
      accountId,
      channel,
      address,
      this.hashes.of(accountId, channel, address),
    ]);
    return suppression ?? null;
  }

  async get(accountId: string, id: string): Promise<Suppression | null> {
    const [suppression] = await this.query(GET, [accountId, id]);
    return suppression ?? null;
  }

  async reasons(
    accountId: string,
    channel: Channel,
    addresses: readonly string[],
  ): Promise<Map<string, SuppressionReason | 'erased'>> {
    const hashes = addresses.map((address) => this.hashes.of(accountId, channel, address));
    const values = [accountId, channel, addresses, hashes];
    const rows = await this.database.query<{ address: string; reason: SuppressionReason | 'erased' }>(REASONS, values);
    return new Map(rows.map(({ address, reason }) => [address, reason]));
  }

  async addAcrossAccounts(suppressions: readonly Suppression[]): Promise<WrittenSuppression[]> {
    const column = (name: keyof Suppression) => suppressions.map((suppression) => suppression[name]);
    type Row = Suppression & Pick<WrittenSuppression, 'formerReason'>;
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
      suppressions.map(({ accountId, channel, address }) => this.hashes.of(accountId, channel, address)),
    ]);
    return rows.map(({ formerReason, ...row }) => ({
      suppression: Object.assign(new Suppression(), row),
      formerReason,
    }));
  }

  async list(accountId: string, filter: SuppressionFilter, page: PageRequest): Promise<Page<Suppression>> {
    const values = filterValues(accountId, filter);
    const items = await this.query(LIST, [...values, page.limit, (page.page - 1) * page.limit]);
    const [count] = await this.database.query<{ total: number }>(COUNT, values);
    return toPage(items, count?.total ?? 0, page);
  }

  listAfter(accountId: string, filter: SuppressionFilter, id: string, limit: number): Promise<Suppression[]> {
    return this.query(LIST_AFTER, [...filterValues(accountId, filter), id, limit]);
  }

  async remove(accountId: string, id: string): Promise<Suppression | null> {
    const [removed] = await this.query(REMOVE, [accountId, id]);
    return removed ?? null;
  }

  async removeSynced(accountId: string, numbers: readonly string[]): Promise<number> {
    return (await this.database.query(REMOVE_SYNCED, [accountId, numbers])).length;
  }

  private async areSuppressed(lookUps: LookUp[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ suppressed: boolean }>('are_suppressed', ARE_SUPPRESSED, [
      lookUps.map(({ accountId }) => accountId),
      lookUps.map(({ channel }) => channel),
      lookUps.map(({ address }) => address),
      lookUps.map(({ accountId, channel, address }) => this.hashes.of(accountId, channel, address)),
    ]);
    return rows.map(({ suppressed }) => suppressed);
  }

  private async query(text: string, values: unknown[]): Promise<Suppression[]> {
    const rows = await this.database.query<Suppression>(text, values);
    return rows.map((row) => Object.assign(new Suppression(), row));
  }
}

/** $1 to $4 of the statements that filter. */
const filterValues = (accountId: string, { search, channel, reason }: SuppressionFilter): unknown[] => [
  accountId,
  channel ?? null,
  reason ?? null,
  search?.toLowerCase() ?? null,
];
