import type { ColumnMapping } from './column-mapping.js';

/** `uploading` until the file is complete; `queued` until a worker claims it. */
export const IMPORT_STATES = ['uploading', 'queued', 'running', 'done', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Files hold personal data: an import that is not finished within this time fails, and its file is removed. */
export const MAX_IMPORT_DAYS = 1;
export const REPORT_RETENTION_DAYS = 30;

/** An import keeps the first errors only. */
export const MAX_ROW_ERRORS = 100;

/** A row of the file that was not written. */
export interface RowError {
  /** Its last line, from 1. */
  line: number;
  email: string | null;
  message: string;
}

export interface RowCounts {
  processed: number;
  created: number;
  updated: number;
  /** Rows that changed nothing, or whose address occurs in another row. */
  skipped: number;
  failed: number;
}

export interface ImportOptions {
  mapping: ColumnMapping;
  listId: string | null;
  /** Nothing is written; the counts are those that an import would have. */
  dryRun: boolean;
}

/** The import of a CSV file of contacts, and its progress. */
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

/** An import that one worker processes while it holds the claim. */
export type ClaimedImport = ContactImport & ImportOptions & { claimId: string };

/** A row of the file. */
export interface FileRow {
  /** Its last line, from 1. */
  line: number;
  cells: string[];
}
