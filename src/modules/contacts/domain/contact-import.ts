import type { ColumnMapping } from './column-mapping.js';

/** `uploading` until its file is there; `queued` until a worker has time for it. */
export const IMPORT_STATES = ['uploading', 'queued', 'running', 'done', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Errors of rows that are kept, the first ones of a file. */
export const MAX_ROW_ERRORS = 100;

/** A row of the file that was not written. */
export interface RowError {
  /** Its last line, from 1. */
  line: number;
  email: string | null;
  message: string;
}

/** What became of rows. */
export interface RowCounts {
  processed: number;
  created: number;
  updated: number;
  /** Rows that changed nothing, or whose address stood in another row. */
  skipped: number;
  failed: number;
}

export interface ImportOptions {
  mapping: ColumnMapping;
  listId: string | null;
  /** Nothing is written; the counts say what would be. */
  dryRun: boolean;
}

/** A CSV file of contacts and how far it is. */
export interface ContactImport extends RowCounts {
  id: string;
  accountId: string;
  state: ImportState;
  dryRun: boolean;
  /** Rows of the file; null until they are counted. */
  total: number | null;
  errors: RowError[];
  /** Why the import failed. */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An import that one worker has for as long as its claim stands. */
export type ClaimedImport = ContactImport & ImportOptions & { claimId: string };
