import { Injectable } from '@nestjs/common';

import { AddressHashes } from '../../../platform/crypto/address-hashes.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { Parameters } from '../../../platform/database/parameters.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import type { Channel } from '../../../shared/channel.js';
import { idPrefix } from '../../../shared/ids.js';
import { ConsentPartitions } from '../application/ports/consent-partitions.js';
import {
  type ConsentFilter,
  ConsentRepository,
  type ConsentToAppend,
} from '../application/ports/consent.repository.js';
import type { ConsentRecord, LatestRecord, StandingConsent } from '../domain/consent.js';
import {
  APPEND,
  COLUMNS,
  GET,
  HAVE_ERASED,
  LATEST_OF_NUMBER,
  LIST_STANDING,
  LOCK_REPEATABLE,
  LOCK_STANDING_OF_NUMBER,
  RENAME_STANDING,
} from './consent.sql.js';
import { isRequired, isTrackingGranted, lacksConsent } from './standing.sql.js';

interface TrackedAddress {
  accountId: string;
  email: string;
}

@Injectable()
export class SqlConsentRepository extends ConsentRepository {
  private readonly trackingLookUps = new Batcher<TrackedAddress, boolean>((some) => this.findTrackingGranted(some), {
    maxSize: 200,
    faults: POSTGRES_FAULTS,
  });

  constructor(
    private readonly database: Database,
    private readonly hashes: AddressHashes,
    private readonly partitions: ConsentPartitions,
  ) {
    super();
  }

  async appendAcrossAccounts(records: readonly ConsentToAppend[]): Promise<Set<string>> {
    return this.database.run(async () => {
      const [first] = records;
      if (!first) return new Set();
      await this.partitions.ensureFor(first.recordedAt);
      const repeatable = records.filter(({ condition }) => condition === 'unless_recorded');
      if (repeatable.length > 0)
        await this.database.query(LOCK_REPEATABLE, [repeatable.map(({ accountId }) => accountId)]);
      await this.restore(records);
      const appended = await this.database.query<{ id: string }>(APPEND, [JSON.stringify(records.map(toRow))]);
      return new Set(appended.map(({ id }) => id));
    });
  }

  async list(
    accountId: string,
    filter: ConsentFilter,
    { beforeId, limit }: { beforeId: string | null; limit: number },
  ): Promise<ConsentRecord[]> {
    const parameters = new Parameters(accountId);
    const conditions = this.conditions(accountId, filter, parameters);
    if (beforeId !== null) conditions.push(`r.id < ${parameters.add(beforeId)}`);
    const text = `
      SELECT ${COLUMNS} FROM consent_records r WHERE ${conditions.join(' AND ')}
      ORDER BY r.id DESC LIMIT ${parameters.add(limit)}`;
    return this.database.read<ConsentRecord>(text, parameters.values);
  }

  async find(accountId: string, id: string): Promise<ConsentRecord | null> {
    const [record] = await this.database.query<ConsentRecord>(GET, [accountId, id]);
    return record ?? null;
  }

  listStanding(accountId: string, channel: Channel, address: string): Promise<StandingConsent[]> {
    const hash = this.hashes.hex(accountId, channel, address);
    return this.database.query<StandingConsent>(LIST_STANDING, [accountId, channel, address, hash]);
  }

  async lockLatestOfNumber(accountId: string, number: string): Promise<LatestRecord[]> {
    await this.database.query(LOCK_STANDING_OF_NUMBER, [accountId, number]);
    return this.database.query<LatestRecord>(LATEST_OF_NUMBER, [accountId, number]);
  }

  restoreErased(accountId: string, emails: readonly string[]): Promise<void> {
    return this.restore(emails.map((normalisedAddress) => ({ accountId, channel: 'email', normalisedAddress })));
  }

  isTrackingGranted(accountId: string, email: string): Promise<boolean> {
    return this.trackingLookUps.add({ accountId, email });
  }

  async isRequired(accountId: string): Promise<boolean> {
    const [account] = await this.database.query<{ isRequired: boolean }>(IS_REQUIRED, [accountId]);
    return account?.isRequired ?? false;
  }

  async findLacking(accountId: string, emails: readonly string[], topicId: string | null): Promise<Set<string>> {
    const rows = await this.database.query<{ email: string }>(FIND_LACKING, [accountId, emails, topicId]);
    return new Set(rows.map(({ email }) => email));
  }

  /** Restores the consents that stood for addresses before these were erased. */
  private async restore(
    addresses: readonly Pick<ConsentToAppend, 'accountId' | 'channel' | 'normalisedAddress'>[],
  ): Promise<void> {
    // Hashing an address takes longer than looking it up, and most accounts have erased nobody.
    const accountIds = [...new Set(addresses.map(({ accountId }) => accountId))];
    const found = await this.database.query<{ id: string }>(HAVE_ERASED, [accountIds]);
    const haveErased = new Set(found.map(({ id }) => id));
    const affected = addresses.filter(({ accountId }) => haveErased.has(accountId));
    if (affected.length === 0) return;
    await this.database.query(RENAME_STANDING, [
      affected.map(({ accountId }) => accountId),
      affected.map(({ channel }) => channel),
      affected.map(({ accountId, channel, normalisedAddress: address }) =>
        this.hashes.hex(accountId, channel, address),
      ),
      affected.map(({ normalisedAddress }) => normalisedAddress),
    ]);
  }

  private async findTrackingGranted(addresses: TrackedAddress[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ isGranted: boolean }>('tracking_granted', TRACKING_GRANTED, [
      addresses.map(({ accountId }) => accountId),
      addresses.map(({ email }) => email),
    ]);
    return rows.map(({ isGranted }) => isGranted);
  }

  private conditions(accountId: string, filter: ConsentFilter, parameters: Parameters): string[] {
    const { address, topicId, purpose, action, from, to } = filter;
    const conditions = ['r.account_id = $1'];
    if (address) {
      const names = [address.address, this.hashes.hex(accountId, address.channel, address.address)];
      conditions.push(`r.channel = ${parameters.add(address.channel)}`, `r.address = ANY (${parameters.add(names)})`);
    }
    if (topicId !== undefined) conditions.push(`r.topic_id = ${parameters.add(topicId)}`);
    if (purpose !== undefined) conditions.push(`r.purpose = ${parameters.add(purpose)}`);
    if (action !== undefined) conditions.push(`r.action = ${parameters.add(action)}`);
    if (from !== undefined) conditions.push(`r.id >= ${parameters.add(idPrefix(from))}`);
    if (to !== undefined) conditions.push(`r.id < ${parameters.add(idPrefix(to))}`);
    return conditions;
  }
}

const IS_REQUIRED = `SELECT ${isRequired('$1')} AS "isRequired"`;

/** One row per address, in order. $1 accounts, $2 normalised addresses. */
const TRACKING_GRANTED = `
  SELECT ${isTrackingGranted('asked.account_id', 'asked.email')} AS "isGranted"
  FROM ${unnestParameters('text', 'text')} WITH ORDINALITY AS asked (account_id, email, position)
  ORDER BY asked.position`;

const OF_CONTACT = { account: '$1', channel: "'email'", address: 'c.email', purpose: "'marketing'", topic: '$3::text' };

/** $1 account, $2 normalised addresses of contacts, $3 topic. */
const FIND_LACKING = `SELECT c.email FROM unnest($2::text[]) AS c (email) WHERE ${lacksConsent(OF_CONTACT)}`;

/** The names of the columns of APPEND. */
const toRow = (record: ConsentToAppend): object => {
  const { normalisedAddress, address, channel, wording = null, actor, purpose = 'marketing', ...rest } = record;
  const givenAddress = channel === 'email' ? address.trim() : normalisedAddress;
  const words = { wordingVersion: wording?.version ?? null, wordingText: wording?.text ?? null };
  const shown = { channel, address: normalisedAddress, givenAddress, purpose };
  return { ...rest, ...shown, ...words, actorType: actor.type, actorId: actor.id };
};
