import { ApiProperty } from '@nestjs/swagger';

import { type ContactImport, IMPORT_STATES, type ImportState } from '../domain/contact-import.js';

/** A row of the file that was not written. */
export class ImportErrorResponse {
  /** Its last line in the file. The header is line 1. */
  line!: number;

  /** As in the file; null if it is empty or belongs to a contact that was erased. */
  email!: string | null;

  /** @example "email must be an email address" */
  message!: string;
}

/** The columns of the file that are neither mapped nor named like an attribute. */
export class IgnoredColumnsResponse {
  @ApiProperty({ type: 'integer' })
  count!: number;

  /**
   * The first 100 of them.
   * @example ["Shoe size"]
   */
  names!: string[];
}

export class ImportResponse {
  id!: string;

  /** `queued` until a worker claims it. The imports of an account run one after the other. */
  @ApiProperty({ enum: IMPORT_STATES.filter((state) => state !== 'uploading') })
  state!: ImportState;

  /**
   * Nothing is written; the counts are those that an import would have.
   * @example false
   */
  dryRun!: boolean;

  /** Rows of the file, without its header; null until they are counted. */
  total!: number | null;

  /** Processed rows: the sum of `created`, `updated`, `skipped` and `failed`. */
  processed!: number;
  created!: number;
  updated!: number;

  /** Rows that changed nothing, or whose address occurs in another row. */
  skipped!: number;

  /** Rows that were not written. */
  failed!: number;

  /** The first 100 rows that failed. */
  errors!: ImportErrorResponse[];

  /** What the import leaves out. */
  ignoredColumns!: IgnoredColumnsResponse;

  /**
   * Why the whole import failed; null unless it did.
   * @example "The file cannot be read as CSV: Quote Not Closed: the parsing is finished with an opening quote at line 7"
   */
  error!: string | null;
  createdAt!: Date;
  finishedAt!: Date | null;

  static from(found: ContactImport): ImportResponse {
    const { id, state, dryRun, total, processed, created, updated, skipped, failed } = found;
    const { errors, error, createdAt, finishedAt } = found;
    const ignoredColumns = found.ignoredColumns ?? { count: 0, names: [] };
    const counts = { total, processed, created, updated, skipped, failed };
    return { id, state, dryRun, ...counts, errors, ignoredColumns, error, createdAt, finishedAt };
  }
}
