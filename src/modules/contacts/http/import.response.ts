import { ApiProperty } from '@nestjs/swagger';

import { type ContactImport, IMPORT_STATES, type ImportState } from '../domain/contact-import.js';

/** A row of the file that was not written. */
export class ImportErrorResponse {
  /** Its last line in the file, from 1, which is the header. */
  line!: number;

  /** As given, as far as it is text; null for the address of a contact that was erased. */
  email!: string | null;

  /** @example "email must be an email address" */
  message!: string;
}

export class ImportResponse {
  id!: string;

  /** `queued` until a worker takes it: those of an account run one after the other. */
  @ApiProperty({ enum: IMPORT_STATES.filter((state) => state !== 'uploading') })
  state!: ImportState;

  /** Nothing is written: the counts say what would be. */
  dryRun!: boolean;

  /** Rows of the file, without its header; null until they are counted. */
  total!: number | null;

  /** Rows that are done: `created`, `updated`, `skipped` and `failed` together. */
  processed!: number;
  created!: number;
  updated!: number;

  /** Rows that changed nothing, or whose address stands in another row, too. */
  skipped!: number;

  /** Rows that were not written. */
  failed!: number;

  /** Of the first 100 rows that failed. */
  errors!: ImportErrorResponse[];

  /**
   * Why the whole import failed, null unless it did.
   * @example "The file cannot be read as CSV: Quote Not Closed: the parsing is finished with an opening quote at line 7"
   */
  error!: string | null;
  createdAt!: Date;
  finishedAt!: Date | null;

  static from(found: ContactImport): ImportResponse {
    const { id, state, dryRun, total, processed, created, updated, skipped, failed } = found;
    const { errors, error, createdAt, finishedAt } = found;
    const counts = { total, processed, created, updated, skipped, failed };
    return { id, state, dryRun, ...counts, errors, error, createdAt, finishedAt };
  }
}
