import { Injectable } from '@nestjs/common';

import { readCsv } from '../../../platform/csv/read-csv.js';
import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../shared/domain-error.js';
import { AccountLock } from '../../accounts/index.js';
import { ImportRepository } from '../application/ports/import.repository.js';
import type { ContactImport, FileRow, ImportOptions } from '../domain/contact-import.js';
import {
  APPEND_CHUNK,
  COUNT_UNFINISHED,
  DISCARD_IMPORT,
  FIND_IMPORT,
  OPEN_IMPORT,
  PURGE_EXPIRED,
  QUEUE_IMPORT,
  READ_CHUNK,
} from './import.sql.js';

const MAX_UNFINISHED = 5;
const UPLOAD_TIMEOUT_MS = 600_000;
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
    private readonly accountLock: AccountLock,
  ) {
    super();
  }

  async open(accountId: string, id: string, now: Date): Promise<void> {
    await this.database.runInLane(accountId, async () => {
      // Of several concurrent calls, each counts the imports of those before it.
      await this.accountLock.lock(accountId);
      const [row] = await this.database.query<{ count: number }>(COUNT_UNFINISHED, [accountId]);
      if ((row?.count ?? 0) >= MAX_UNFINISHED)
        throw DomainError.conflict(
          `${MAX_UNFINISHED} imports are not finished yet: wait for one of them`,
          'too_many_imports',
        );
      await this.database.query(OPEN_IMPORT, [accountId, id, uploadDeadline(now), now]);
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

  async queue(accountId: string, id: string, { mapping, listId, dryRun }: ImportOptions): Promise<void> {
    await this.database.query(QUEUE_IMPORT, [accountId, id, JSON.stringify(mapping), listId, dryRun]);
  }

  async discard(accountId: string, id: string): Promise<void> {
    await this.database.query(DISCARD_IMPORT, [accountId, id]);
  }

  async find(accountId: string, id: string): Promise<ContactImport | null> {
    const [found] = await this.database.query<ContactImport>(FIND_IMPORT, [accountId, id]);
    return found ?? null;
  }

  async purgeExpiredAcrossAccounts(now: Date): Promise<void> {
    for (const statement of PURGE_EXPIRED) await this.database.query(statement, [now]);
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

const uploadDeadline = (now: Date): Date => new Date(now.getTime() + UPLOAD_TIMEOUT_MS);
