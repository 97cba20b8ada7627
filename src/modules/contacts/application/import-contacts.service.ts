import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { FairSemaphore } from '../../../shared/fair-semaphore.js';
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
const WAIT_MS = 20_000;

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
  row: ContactRow;
}

@Injectable()
export class ImportContacts {
  private readonly permits = new FairSemaphore(WRITING);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
  ) {}

  /**
   * Adds or changes the contacts that these values describe, all valid ones in one transaction. Of several values with
   * one address the last counts. `listId` adds all of them to that list; throws invalid if there is no such list, and
   * `unavailable` if too many imports are running.
   */
  async import(accountId: string, values: readonly unknown[], listId?: string): Promise<ContactImportReport> {
    const release = await this.permits.acquire(accountId, { waitMs: WAIT_MS });
    if (!release) throw new DomainError('unavailable', 'imports_busy', 'Too many contacts are being imported', 1);
    try {
      return await this.importNow(accountId, values, listId);
    } finally {
      release();
    }
  }

  private async importNow(
    accountId: string,
    values: readonly unknown[],
    listId: string | undefined,
  ): Promise<ContactImportReport> {
    const { read, errors, listIds } = await readRows(values);
    return this.transactions.runInLane(accountId, async () => {
      await this.writeContacts.lockListsShared(accountId);
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
      const erased = read.flatMap(({ index, row }) =>
        written.size === rows.size || failed.has(index) || written.has(normaliseEmail(row.email))
          ? []
          : [failure(index, row, `${row.email} is suppressed`)],
      );
      const count = (outcome: string) => [...written.values()].filter((row) => row.outcome === outcome).length;
      const [created, updated] = [count('created'), count('updated')];
      const all = [...errors, ...unlisted, ...erased].sort((a, b) => a.index - b.index);
      return { created, updated, skipped: values.length - all.length - created - updated, errors: all };
    });
  }
}

async function readRows(
  values: readonly unknown[],
): Promise<{ read: IndexedRow[]; errors: ContactImportReport['errors']; listIds: Set<string> }> {
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
      read.push({ index, row });
    }
  }
  return { read, errors, listIds };
}

/** Keeps the last of several rows with one address. */
const lastPerAddress = (rows: readonly IndexedRow[], addToList: string | undefined): Map<string, ContactRow> =>
  new Map(rows.map(({ row }) => [normaliseEmail(row.email), addToList === undefined ? row : { ...row, addToList }]));

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
