import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../shared/domain-error.js';
import { ContactImports } from '../application/ports/contact-imports.js';
import type { ContactImport, ImportOptions } from '../domain/contact-import.js';
import {
  APPEND_CHUNK,
  COUNT_UNFINISHED,
  DISCARD_IMPORT,
  FIND_IMPORT,
  OPEN_IMPORT,
  QUEUE_IMPORT,
  READ_CHUNK,
} from './contact-import.sql.js';

const MAX_UNFINISHED = 5;
const SILENT_FOR_MS = 600_000;

@Injectable()
export class SqlContactImports extends ContactImports {
  constructor(private readonly database: Database) {
    super();
  }

  async open(accountId: string, id: string, now: Date): Promise<void> {
    await this.database.runInLane(accountId, async () => {
      // Held until the import stands, so that of several at once each counts those before it.
      await this.database.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      const [row] = await this.database.query<{ count: number }>(COUNT_UNFINISHED, [accountId]);
      if ((row?.count ?? 0) >= MAX_UNFINISHED)
        throw DomainError.conflict(
          `${MAX_UNFINISHED} imports are not finished yet: wait for one of them`,
          'too_many_imports',
        );
      await this.database.query(OPEN_IMPORT, [accountId, id, silentUntil(now), now]);
    });
  }

  async append(accountId: string, id: string, number: number, bytes: Uint8Array, now: Date): Promise<void> {
    await this.database.query(APPEND_CHUNK, [accountId, id, number, bytes, silentUntil(now)]);
  }

  async *readFile(accountId: string, id: string): AsyncGenerator<Uint8Array, void> {
    for (let number = 0; ; number++) {
      const [chunk] = await this.database.query<{ bytes: Buffer }>(READ_CHUNK, [accountId, id, number]);
      if (!chunk) return;
      yield chunk.bytes;
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
}

const silentUntil = (now: Date): Date => new Date(now.getTime() + SILENT_FOR_MS);
