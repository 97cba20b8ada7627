import { Injectable } from '@nestjs/common';

import { IMPORT_UPLOAD_TIMEOUT_MS, MAX_UNFINISHED_IMPORTS } from '../../../config/limits.js';
import { readCsv } from '../../../platform/csv/read-csv.js';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../shared/domain-error.js';
import { AccountRepository } from '../../accounts/index.js';
import { ImportRepository } from '../application/ports/import.repository.js';
import type { IgnoredColumns } from '../domain/column-mapping.js';
import type { ContactImport, FileRow, ImportOptions } from '../domain/contact-import.js';
import {
  APPEND_CHUNK,
  COUNT_UNFINISHED,
  DISCARD_IMPORT,
  FIND_IMPORT,
  OPEN_IMPORT,
  FAIL_IMPORT,
  HAS_OLD_REPORT,
  IS_ABANDONED_UPLOAD,
  IS_OF_FINISHED_IMPORT,
  IS_OVERDUE,
  QUEUE_IMPORT,
  READ_CHUNK,
} from './import.sql.js';

const MAX_COLUMNS = 1_000;
const CSV = {
  delimiters: [',', ';', '\t'],
  maxRowLength: 2_000_000,
  failure: 'The file cannot be read as CSV',
};

@Injectable()
export class SqlImportRepository extends ImportRepository {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
  ) {
    super();
  }

  async open(accountId: string, id: string, now: Date, userId?: string): Promise<void> {
    await this.database.runInLane(accountId, async () => {
      // The lock makes concurrent calls count each other's imports.
      await this.accounts.findAndLock(accountId);
      const [row] = await this.database.query<{ count: number }>(COUNT_UNFINISHED, [accountId]);
      if ((row?.count ?? 0) >= MAX_UNFINISHED_IMPORTS)
        throw DomainError.conflict(`${MAX_UNFINISHED_IMPORTS} imports are not finished yet: wait for one of them`);
      await this.database.query(OPEN_IMPORT, [accountId, id, userId ?? null, uploadDeadline(now), now]);
    });
  }

  async append(accountId: string, id: string, number: number, bytes: Uint8Array, now: Date): Promise<void> {
    await this.database.query(APPEND_CHUNK, [accountId, id, number, bytes, uploadDeadline(now)]);
  }

  async *readRows(accountId: string, id: string, beforeChunk?: () => Promise<void>): AsyncGenerator<FileRow, void> {
    for await (const row of readCsv(this.readChunks(accountId, id, beforeChunk), CSV)) {
      if (row.cells.length > MAX_COLUMNS)
        throw DomainError.invalid(`The file has more than ${MAX_COLUMNS} columns: line ${row.line}`);
      yield row;
    }
  }

  async queue(
    accountId: string,
    id: string,
    { mapping, listId, dryRun }: ImportOptions,
    ignored?: IgnoredColumns,
  ): Promise<void> {
    const json = ignored ? JSON.stringify(ignored) : null;
    const values = [accountId, id, JSON.stringify(mapping), listId, dryRun, json];
    await this.database.query(QUEUE_IMPORT, values);
  }

  async discard(accountId: string, id: string): Promise<void> {
    await this.database.query(DISCARD_IMPORT, [accountId, id]);
  }

  async find(accountId: string, id: string): Promise<ContactImport | null> {
    const [found] = await this.database.query<ContactImport>(FIND_IMPORT, [accountId, id]);
    return found ?? null;
  }

  async purgeExpiredAcrossAccounts(now: Date): Promise<void> {
    await this.database.deleteInBatches('contact_imports', IS_ABANDONED_UPLOAD, [now]);
    await this.database.changeInBatches('contact_imports', FAIL_IMPORT, IS_OVERDUE, [now]);
    await this.database.deleteInBatches('contact_import_chunks', IS_OF_FINISHED_IMPORT);
    await this.database.deleteInBatches('contact_imports', HAS_OLD_REPORT, [now]);
  }

  private async *readChunks(
    accountId: string,
    id: string,
    beforeChunk?: () => Promise<void>,
  ): AsyncGenerator<Uint8Array, void> {
    for (let number = 0; ; number++) {
      const [chunk] = await this.database.query<{ bytes: Buffer }>(READ_CHUNK, [accountId, id, number]);
      if (!chunk) return;
      await beforeChunk?.();
      yield chunk.bytes;
    }
  }
}

const uploadDeadline = (now: Date): Date => new Date(now.getTime() + IMPORT_UPLOAD_TIMEOUT_MS);
