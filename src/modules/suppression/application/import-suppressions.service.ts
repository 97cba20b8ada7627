import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../shared/actor.js';
import { type ImportRow, readRow, type RowCause } from '../domain/import-row.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

const BATCH_SIZE = 1_000;
const MAX_REPORTED = 100;
const MAX_ADDRESS_SHOWN = 320;

export interface ImportReport {
  added: number;
  /** Rows whose address was suppressed already or is in an earlier row. */
  alreadySuppressed: number;
  failed: number;
  /** The first rows that failed. */
  errors: { line: number; address: string; message: string }[];
}

@Injectable()
export class ImportSuppressions {
  constructor(private readonly suppressAddresses: SuppressAddresses) {}

  /** Writes valid rows even if others fail. If `rows` rejects, the import can be repeated. */
  async import(accountId: string, rows: AsyncIterable<ImportRow>, actor: Actor): Promise<ImportReport> {
    const report: ImportReport = { added: 0, alreadySuppressed: 0, failed: 0, errors: [] };
    let batch: RowCause[] = [];
    for await (const row of rows) {
      const read = readRow(row);
      if ('fault' in read) recordFault(report, row, read.fault);
      else batch.push(read);
      if (batch.length < BATCH_SIZE) continue;
      await this.write(accountId, batch, actor, report);
      batch = [];
    }
    if (batch.length > 0) await this.write(accountId, batch, actor, report);
    return report;
  }

  private async write(accountId: string, batch: RowCause[], actor: Actor, report: ImportReport): Promise<void> {
    const causes = batch.map((cause) => ({ ...cause, accountId, actor, source: 'import', isFromList: true }) as const);
    const { length: added } = await this.suppressAddresses.suppress(causes);
    report.added += added;
    report.alreadySuppressed += batch.length - added;
  }
}

function recordFault(report: ImportReport, { line, address }: ImportRow, message: string): void {
  report.failed += 1;
  if (report.errors.length >= MAX_REPORTED) return;
  report.errors.push({ line, address: address.slice(0, MAX_ADDRESS_SHOWN).toWellFormed(), message });
}
