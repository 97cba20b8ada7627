import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId, newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { ListDirectory, noSuchList } from '../../contacts/index.js';
import { findColumns, type IgnoredColumns, ignoredColumns, readMapping } from '../domain/column-mapping.js';
import type { ContactImport, ImportOptions } from '../domain/contact-import.js';
import { ImportRepository } from './ports/import.repository.js';
import { Utf8Check } from './utf8-check.js';

const CHUNK_BYTES = 262_144;
const FIELDS = ['mapping', 'dryRun', 'listId'];

/** Passes the file of the form to `store` as it arrives; resolves with the other fields once the form is complete. */
export type ReceiveForm = (store: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<Map<string, string>>;

@Injectable()
export class ManageImports {
  private readonly logger = new Logger(ManageImports.name);

  constructor(
    private readonly imports: ImportRepository,
    private readonly lists: ListDirectory,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Stores a file and leaves the import to a worker. Throws invalid, and keeps nothing, if the form is not valid. */
  async start(accountId: string, userId: string, receive: ReceiveForm): Promise<ContactImport> {
    const now = this.clock.now();
    const id = newId(now);
    await this.imports.open(accountId, id, now, userId);
    try {
      const files: unknown[] = [];
      const fields = await receive((bytes) => {
        files.push(bytes);
        return this.store(accountId, id, bytes);
      });
      if (files.length === 0) throw DomainError.invalid('file is missing');
      const options = await this.readOptions(accountId, fields);
      const ignored = await this.checkHeader(accountId, id, options);
      await this.imports.queue(accountId, id, options, ignored);
    } catch (error) {
      await this.imports.discard(accountId, id);
      throw error;
    }
    // If the queue is unavailable, a sweep finds the import some seconds later.
    await this.queue.enqueue([{ name: 'import-contacts', payload: { accountId } }]).catch((error: unknown) => {
      this.logger.warn(`The import ${id} waits for the next sweep: ${(error as Error).message}`);
    });
    return this.get(accountId, id);
  }

  async get(accountId: string, id: string): Promise<ContactImport> {
    const found = isId(id) ? await this.imports.find(accountId, id) : null;
    if (!found || found.state === 'uploading') throw DomainError.notFound('Import');
    return found;
  }

  private async store(accountId: string, id: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const check = new Utf8Check();
    let number = 0;
    for await (const chunk of inChunks(bytes)) {
      check.add(chunk);
      await this.imports.append(accountId, id, number++, chunk, this.clock.now());
    }
    check.end();
  }

  private async readOptions(accountId: string, fields: ReadonlyMap<string, string>): Promise<ImportOptions> {
    for (const name of fields.keys())
      if (!FIELDS.includes(name))
        throw DomainError.invalid(`${name.slice(0, 100)} is not one of file, ${FIELDS.join(', ')}`);
    const dryRun = fields.get('dryRun') ?? 'false';
    if (dryRun !== 'true' && dryRun !== 'false') throw DomainError.invalid('dryRun must be true or false');
    const mapping = readMapping(fields.get('mapping'));
    const listId = fields.get('listId') || null;
    if (listId !== null && !isId(listId)) throw DomainError.invalid(noSuchList('listId', listId.slice(0, 100)));
    if (listId !== null) await this.lists.require(accountId, 'listId', [listId]);
    return { mapping, listId, dryRun: dryRun === 'true' };
  }

  /** Returns the columns that are not imported. */
  private async checkHeader(accountId: string, id: string, { mapping }: ImportOptions): Promise<IgnoredColumns> {
    for await (const { cells } of this.imports.readRows(accountId, id))
      return ignoredColumns(findColumns(mapping, cells), cells);
    throw DomainError.invalid('The file is empty');
  }
}

async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces);
}
