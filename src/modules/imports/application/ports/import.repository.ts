import type { IgnoredColumns } from '../../domain/column-mapping.js';
import type { ContactImport, FileRow, ImportOptions } from '../../domain/contact-import.js';

/** Imports and their files. */
export abstract class ImportRepository {
  /**
   * Adds an import without a file, which `userId` uploads. Throws conflict if the account has too many unfinished
   * imports.
   */
  abstract open(accountId: string, id: string, now: Date, userId?: string): Promise<void>;

  /** Stores a chunk of the file; chunks are numbered from 0. */
  abstract append(accountId: string, id: string, number: number, bytes: Uint8Array, now: Date): Promise<void>;

  /**
   * Reads the rows of the file as far as it is stored, the header first. Calls `beforeChunk` before it parses the next
   * chunk and rejects with what that throws. Throws invalid, naming the line, if the file is not CSV.
   */
  abstract readRows(accountId: string, id: string, beforeChunk?: () => Promise<void>): AsyncGenerator<FileRow, void>;

  /** Completes the file: a worker may claim the import. */
  abstract queue(accountId: string, id: string, options: ImportOptions, ignored?: IgnoredColumns): Promise<void>;

  /** Removes an import whose file was refused. */
  abstract discard(accountId: string, id: string): Promise<void>;

  abstract find(accountId: string, id: string): Promise<ContactImport | null>;

  /** Removes abandoned uploads and old reports, and fails imports that are older than `MAX_IMPORT_DAYS`. */
  abstract purgeExpiredAcrossAccounts(now: Date): Promise<void>;
}
