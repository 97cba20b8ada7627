import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { type ContactRow, toSet } from '../domain/contact.js';
import { readContactRow } from '../domain/read-contact-row.js';
import { ListDirectory, noSuchList } from './list-directory.service.js';
import { WriteContacts } from './write-contacts.service.js';

const MAX_EMAIL_SHOWN = 320;

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
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
  ) {}

  /**
   * Adds or changes the contacts that these values describe, all valid ones in one transaction. Of several values with
   * one address the last counts. `listId` adds all of them to that list; throws invalid if there is no such list.
   */
  async import(accountId: string, values: readonly unknown[], listId?: string): Promise<ContactImportReport> {
    const { read, errors } = await readRows(values);
    return this.transactions.runInLane(accountId, async () => {
      await this.writeContacts.lockListsShared(accountId);
      if (listId !== undefined) await this.lists.require(accountId, 'listId', [listId]);
      const unknown = await this.lists.findUnknown(
        accountId,
        read.flatMap(({ row }) => row.listIds ?? []),
      );
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
): Promise<{ read: IndexedRow[]; errors: ContactImportReport['errors'] }> {
  const read: IndexedRow[] = [];
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
      read.push({ index, row });
    }
  }
  return { read, errors };
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
