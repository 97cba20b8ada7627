import { Injectable } from '@nestjs/common';

import { Limiter } from '../../../concurrency/limiter.js';
import { type Actor, SYSTEM } from '../../../shared/actor.js';
import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { retryWhileLocked } from '../../../concurrency/retry.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import { asksForActive, activeWhileSuppressed, type ContactRow, lastPerAddress, toSet } from '../domain/contact.js';
import { readContactRow } from '../domain/read-contact-row.js';
import { ImportedConsents } from './imported-consents.service.js';
import { ListDirectory, noSuchList } from './list-directory.service.js';
import { type PreviewedContact, WriteContacts } from './write-contacts.service.js';

const MAX_EMAIL_SHOWN = 320;
/**
 * Imports that a process writes at a time. More of them would leave no connection to others, and wait for each other in
 * the event loop for longer than a transaction may be idle.
 */
const WRITING = {
  perKey: 2,
  total: 3,
  maxWaitingPerKey: 10,
  maxWaiting: 25,
  refusal: () => new DomainError('unavailable', 'overloaded', 'Too many contacts are being imported', 1),
};
/** An import does not begin, or begin again, after this time. */
const WAIT_MS = 20_000;
/** An import that waits for a lock of its account for longer lets others have its permit, and begins again. */
const LOCK_WAIT_MS = 2_000;

export interface ContactImportOptions {
  actor?: Actor;
  listId?: string | undefined;
  dryRun?: boolean | undefined;
}

export interface ContactImportReport {
  created: number;
  updated: number;
  /** Rows that changed nothing, or whose address is in a later row as well. */
  skipped: number;
  /** Rows that were not written, in order. */
  errors: { index: number; email: string | null; message: string }[];
}

interface IndexedRow {
  index: number;
  normalisedEmail: string;
  row: ContactRow;
}

interface ReadRows {
  read: IndexedRow[];
  errors: ContactImportReport['errors'];
  listIds: Set<string>;
}

@Injectable()
export class ImportContacts {
  private readonly writing = new Limiter(WRITING);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
    private readonly consents: ImportedConsents,
    private readonly faults: DatabaseFaults,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds or changes the contacts that these values describe, all valid ones in one transaction. If several values have
   * one address, the last counts. `listId` adds all of them to that list; throws invalid if there is no such list, and
   * `unavailable` if too many imports are running or the account's contacts stay locked. Contacts with a time of
   * consent get a record of it. `dryRun` writes nothing and returns the same report.
   */
  async import(
    accountId: string,
    values: readonly unknown[],
    options: ContactImportOptions = {},
  ): Promise<ContactImportReport> {
    const lastStartAt = performance.now() + WAIT_MS;
    let rows: ReadRows | undefined;
    const write = async () => {
      rows ??= await readRows(values, this.clock.now());
      return this.write(accountId, rows, options);
    };
    const writeInTurn = () => this.writing.run(accountId, write, { waitMs: lastStartAt - performance.now() });
    return retryWhileLocked(this.faults, writeInTurn, WAIT_MS);
  }

  /** Does not run in the lane of the account: calls that wait there would hold the permit. */
  private write(
    accountId: string,
    { read, errors, listIds }: ReadRows,
    { actor = SYSTEM, listId, dryRun = false }: ContactImportOptions,
  ): Promise<ContactImportReport> {
    return this.transactions.run(async () => {
      await this.writeContacts.lockListsShared(accountId, LOCK_WAIT_MS);
      if (listId !== undefined) await this.lists.require(accountId, 'listId', [listId]);
      const refused = await this.findRefused(accountId, read, listIds);
      const failed = new Set(refused.map(({ index }) => index));
      const valid = read.filter(({ index }) => !failed.has(index));
      const rows = new Map(
        [...lastPerAddress(valid)].map(([email, { row }]) => [email, { ...row, addToList: listId }]),
      );
      const written = dryRun
        ? await this.writeContacts.preview(accountId, rows)
        : await this.writeAndRecord(accountId, rows, actor);
      const unwritten = read.flatMap(({ index, normalisedEmail, row }) => {
        const fault = failed.has(index) ? undefined : faultOf(row, written.get(normalisedEmail));
        return fault === undefined ? [] : [failure(index, row, fault)];
      });
      const count = (outcome: string) => [...written.values()].filter((row) => row.outcome === outcome).length;
      const [created, updated] = [count('created'), count('updated')];
      const all = [...errors, ...refused, ...unwritten].sort((a, b) => a.index - b.index);
      const skipped = read.length - refused.length - unwritten.length - created - updated;
      return { created, updated, skipped, errors: all };
    });
  }

  private async writeAndRecord(accountId: string, rows: ReadonlyMap<string, ContactRow>, actor: Actor) {
    const written = await this.writeContacts.write(accountId, rows, { source: 'import', actor });
    await this.consents.record(accountId, rows, written, actor);
    return written;
  }

  /** Finds rows that name a list that does not exist, or that ask for `active` although their address is suppressed. */
  private async findRefused(
    accountId: string,
    read: readonly IndexedRow[],
    listIds: ReadonlySet<string>,
  ): Promise<ContactImportReport['errors']> {
    const unknown = await this.lists.findUnknown(accountId, listIds);
    const wanted = read.map(({ normalisedEmail, row }) => [normalisedEmail, row] as const);
    const suppressed = await this.writeContacts.findSuppressed(accountId, wanted);
    return read.flatMap(({ index, normalisedEmail, row }) => {
      const id = row.listIds?.find((wanted) => unknown.has(wanted));
      if (id !== undefined) return [failure(index, row, noSuchList('listIds', id))];
      const isRefused = asksForActive(row) && suppressed.has(normalisedEmail);
      return isRefused ? [failure(index, row, activeWhileSuppressed(row.email))] : [];
    });
  }
}

/** Erased contacts have no result. */
function faultOf({ email }: ContactRow, written: PreviewedContact | undefined): string | undefined {
  if (!written) return `${email} is suppressed`;
  return written.outcome === 'refused' ? written.fault : undefined;
}

async function readRows(values: readonly unknown[], now: Date): Promise<ReadRows> {
  const read: IndexedRow[] = [];
  const listIds = new Set<string>();
  const errors: ContactImportReport['errors'] = [];
  const slice = new TimeSlice();
  for (const [index, value] of values.entries()) {
    if (slice.isOver) await slice.next();
    const row = readContactRow(value, now);
    if ('fault' in row) {
      errors.push(failure(index, value, row.fault));
    } else {
      // Sorted here, because what follows is not divided into slices.
      if (row.tags) row.tags = toSet(row.tags);
      for (const id of row.listIds ?? []) listIds.add(id);
      read.push({ index, normalisedEmail: normaliseEmail(row.email), row });
    }
  }
  return { read, errors, listIds };
}

function failure(index: number, value: unknown, message: string): ContactImportReport['errors'][number] {
  const { email } = (value ?? {}) as { email?: unknown };
  return {
    index,
    email: typeof email === 'string' ? printable(email.slice(0, MAX_EMAIL_SHOWN)) : null,
    message: printable(message),
  };
}

/** Replaces characters that cannot be stored or displayed. */
const printable = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
