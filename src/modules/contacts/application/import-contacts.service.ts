import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { FairSemaphore } from '../../../shared/fair-semaphore.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { type ContactRow, toSet } from '../domain/contact.js';
import { readContactRow } from '../domain/read-contact-row.js';
import { ListDirectory, noSuchList } from './list-directory.service.js';
import { WriteContacts } from './write-contacts.service.js';

const MAX_EMAIL_SHOWN = 320;
/**
 * Imports that a process writes at a time. More of them would leave no connection to others, and wait for each other in
 * the event loop for longer than a transaction may be idle.
 */
const WRITING = { perKey: 2, total: 3, maxWaitingPerKey: 10, maxWaiting: 25 };
/** An import does not begin, or begin again, after this time. */
const WAIT_MS = 20_000;
/** An import that waits for a lock of its account for longer lets others have its permit, and begins again. */
const LOCK_WAIT_MS = 2_000;

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
  private readonly permits = new FairSemaphore(WRITING);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
    private readonly faults: DatabaseFaults,
  ) {}

  /**
   * Adds or changes the contacts that these values describe, all valid ones in one transaction. Of several values with
   * one address the last counts. `listId` adds all of them to that list; throws invalid if there is no such list, and
   * `unavailable` if too many imports are running or the account's contacts stay locked.
   */
  async import(accountId: string, values: readonly unknown[], listId?: string): Promise<ContactImportReport> {
    const lastStartAt = performance.now() + WAIT_MS;
    let rows: ReadRows | undefined;
    for (;;) {
      const release = await this.permits.acquire(accountId, { waitMs: lastStartAt - performance.now() });
      if (!release) throw new DomainError('unavailable', 'imports_busy', 'Too many contacts are being imported', 1);
      try {
        rows ??= await readRows(values);
        return await this.write(accountId, rows, listId);
      } catch (error) {
        if (!this.faults.isLockTimeout(error) || performance.now() >= lastStartAt) throw error;
      } finally {
        release();
      }
    }
  }

  /** Not in the lane of the account: what waits there would hold the permit. */
  private write(
    accountId: string,
    { read, errors, listIds }: ReadRows,
    listId: string | undefined,
  ): Promise<ContactImportReport> {
    return this.transactions.run(async () => {
      await this.writeContacts.lockListsShared(accountId, LOCK_WAIT_MS);
      if (listId !== undefined) await this.lists.require(accountId, 'listId', [listId]);
      const unknown = await this.lists.findUnknown(accountId, listIds);
      const unlisted = read.flatMap(({ index, row }) => {
        const id = row.listIds?.find((wanted) => unknown.has(wanted));
        return id === undefined ? [] : [failure(index, row, noSuchList('listIds', id))];
      });
      const failed = new Set(unlisted.map(({ index }) => index));
      const rows = lastPerAddress(
        read.filter(({ index }) => !failed.has(index)),
        listId,
      );
      const written = await this.writeContacts.write(accountId, rows, 'import');
      const erased = read.flatMap(({ index, normalisedEmail, row }) =>
        written.size === rows.size || failed.has(index) || written.has(normalisedEmail)
          ? []
          : [failure(index, row, `${row.email} is suppressed`)],
      );
      const count = (outcome: string) => [...written.values()].filter((row) => row.outcome === outcome).length;
      const [created, updated] = [count('created'), count('updated')];
      const all = [...errors, ...unlisted, ...erased].sort((a, b) => a.index - b.index);
      const skipped = read.length - unlisted.length - erased.length - created - updated;
      return { created, updated, skipped, errors: all };
    });
  }
}

async function readRows(values: readonly unknown[]): Promise<ReadRows> {
  const read: IndexedRow[] = [];
  const listIds = new Set<string>();
  const errors: ContactImportReport['errors'] = [];
  const slice = new TimeSlice();
  for (const [index, value] of values.entries()) {
    if (slice.isOver) await slice.next();
    const row = readContactRow(value);
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

/** Keeps the last of several rows with one address. */
const lastPerAddress = (rows: readonly IndexedRow[], addToList: string | undefined): Map<string, ContactRow> =>
  new Map(
    rows.map(({ normalisedEmail, row }) => [normalisedEmail, addToList === undefined ? row : { ...row, addToList }]),
  );

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
