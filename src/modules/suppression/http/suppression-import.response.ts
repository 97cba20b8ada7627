import type { ImportReport } from '../application/import-suppressions.service.js';

/** A row that was not imported. */
export class SuppressionImportErrorResponse {
  /** Its last line in the file, from 1. */
  line!: number;

  /**
   * As in the file.
   * @example "nobody@"
   */
  address!: string;

  /** @example "reason must be one of unsubscribed, bounced, complained, manual, sms_opt_out" */
  message!: string;
}

export class SuppressionImportResponse {
  added!: number;

  /** Rows whose address was suppressed already, or occurs in an earlier row. */
  stood!: number;

  failed!: number;

  /** The first 100 rows that failed. */
  errors!: SuppressionImportErrorResponse[];

  static from({ added, alreadySuppressed, failed, errors }: ImportReport): SuppressionImportResponse {
    return { added, stood: alreadySuppressed, failed, errors };
  }
}
