import type { ColumnMapping, IgnoredColumns } from './column-mapping.js';

/** `uploading` until the file is complete; `queued` until a worker claims it. */
export const IMPORT_STATES = ['uploading', 'queued', 'running', 'done', 'failed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

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
  /** Null if they are not known, as of an import that an earlier version of the service began. */
  ignoredColumns: IgnoredColumns | null;
  /** The reason why the import failed. */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An import that one worker processes while it holds the claim. */
export type ClaimedImport = ContactImport &
  ImportOptions & {
    claimId: string;
    /** The user who uploaded the file; null for files that an earlier release has stored. */
    userId: string | null;
  };

/** A row of the file. */
export interface FileRow {
  /** Its last line, from 1. */
  line: number;
  cells: string[];
}
