import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { findColumns } from '../domain/column-mapping.js';
import type { ContactRow } from '../domain/contact.js';
import { type ClaimedImport, MAX_ROW_ERRORS, type RowCounts, type RowError } from '../domain/contact-import.js';
import { type ReadCsvRow, readCsvRow, rowError } from '../domain/read-csv-row.js';
import { SeenAddresses } from '../domain/seen-addresses.js';
import { csvRows } from './csv-rows.js';
import { ImportRows } from './import-rows.service.js';
import { ContactImports } from './ports/contact-imports.js';
import { ClaimLost, ImportRuns } from './ports/import-runs.js';

/** Small, so that little of it outlives the youngest generation of the heap. */
const BATCH = 250;
const MAX_ROWS = 5_000_000;
const MAX_ATTEMPTS = 5;

interface Counted {
  counts: RowCounts;
  errors: RowError[];
}

@Injectable()
export class RunImports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly imports: ContactImports,
    private readonly runs: ImportRuns,
    private readonly importRows: ImportRows,
    private readonly clock: Clock,
  ) {}

  /** All imports of the account that wait, one after the other, unless another worker is at it. */
  async run(accountId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const next = await this.runs.claim(accountId, this.clock.now());
      if (!next) return;
      await this.carryOut(next.claimed, next.attempt, stopping);
    }
  }

  private async carryOut(claimed: ClaimedImport, attempt: number, stopping: AbortSignal): Promise<void> {
    try {
      if (attempt > MAX_ATTEMPTS) throw DomainError.invalid(`Gave up after ${MAX_ATTEMPTS} attempts`);
      if (claimed.total === null) await this.count(claimed, stopping);
      await this.work(claimed, stopping);
      await this.runs.finish(claimed, null, this.clock.now());
    } catch (error) {
      if (error instanceof ClaimLost) return;
      if (stopping.aborted && error === stopping.reason) {
        await this.runs.release(claimed);
        return;
      }
      if (!(error instanceof DomainError && error.kind === 'invalid')) throw error;
      await this.runs.finish(claimed, error.message, this.clock.now());
    }
  }

  /** Reads the file once before anything is written: what cannot be read as CSV leaves no half import. */
  private async count(claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
    let rows = -1; // the header is none
    for await (const { line } of this.rowsOf(claimed, stopping)) {
      rows += 1;
      if (rows > MAX_ROWS) throw DomainError.invalid(`The file has more than ${MAX_ROWS} rows: line ${line}`);
    }
    await this.runs.recordTotal(claimed, rows, this.clock.now());
  }

  private async work(claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
    const seen = new SeenAddresses();
    for await (const batch of this.batches(claimed, stopping)) {
      stopping.throwIfAborted();
      await this.takeIn(claimed, batch, seen);
    }
  }

  /** The rows that are still to do. */
  private async *batches(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<ReadCsvRow[], void> {
    let batch: ReadCsvRow[] = [];
    let header: string[] | undefined;
    let columns = findColumns({}, []);
    let toSkip = claimed.processed;
    for await (const { line, cells } of this.rowsOf(claimed, stopping)) {
      if (!header) {
        header = cells;
        columns = findColumns(claimed.mapping, header);
      } else if (toSkip > 0) {
        toSkip -= 1;
      } else {
        batch.push(readCsvRow(line, cells, columns, header.length));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** The counts are written with the rows, so that a crash loses or repeats neither. */
  private async takeIn(claimed: ClaimedImport, batch: ReadCsvRow[], seen: SeenAddresses): Promise<void> {
    const { accountId, dryRun, listId } = claimed;
    const { rows, lines } = lastOfEach(batch);
    const fresh = dryRun ? rows.filter(({ email }) => seen.add(normaliseEmail(email))) : rows;
    const room = MAX_ROW_ERRORS - claimed.errors.length;
    const { errors } = await this.transactions.runInLane(accountId, async () => {
      const outcomes = dryRun
        ? await this.importRows.foresee(accountId, fresh, listId)
        : await this.importRows.write(accountId, fresh, listId);
      const counted = count(batch, fresh, lines, [...outcomes.values()], (row) =>
        outcomes.has(normaliseEmail(row.email)),
      );
      await this.runs.advance(claimed, counted.counts, counted.errors.slice(0, room), this.clock.now());
      return counted;
    });
    claimed.errors.push(...errors.slice(0, room));
  }

  /** Throws ClaimLost, or the reason of stopping. */
  private rowsOf(claimed: ClaimedImport, stopping: AbortSignal) {
    return csvRows(this.bytesOf(claimed, stopping));
  }

  /** However few or many rows there are in it, each chunk is a sign of life and a chance to stop. */
  private async *bytesOf(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of this.imports.readFile(claimed.accountId, claimed.id)) {
      stopping.throwIfAborted();
      await this.runs.renew(claimed, this.clock.now());
      yield chunk;
    }
  }
}

/** Of several rows with one address the last. */
function lastOfEach(batch: readonly ReadCsvRow[]): { rows: ContactRow[]; lines: Map<ContactRow, number> } {
  const byAddress = new Map<string, ContactRow>();
  const lines = new Map<ContactRow, number>();
  for (const read of batch) {
    if (!('row' in read)) continue;
    byAddress.set(normaliseEmail(read.row.email), read.row);
    lines.set(read.row, read.line);
  }
  return { rows: [...byAddress.values()], lines };
}

/** An address that was erased is not repeated in the report. */
function count(
  batch: readonly ReadCsvRow[],
  rows: readonly ContactRow[],
  lines: ReadonlyMap<ContactRow, number>,
  outcomes: readonly string[],
  isTaken: (row: ContactRow) => boolean,
): Counted {
  const errors = [
    ...batch.flatMap((read) => ('row' in read ? [] : [read])),
    ...rows.filter((row) => !isTaken(row)).map((row) => rowError(lines.get(row) ?? 0, undefined, ERASED)),
  ].sort((a, b) => a.line - b.line);
  const created = outcomes.filter((outcome) => outcome === 'created').length;
  const updated = outcomes.filter((outcome) => outcome === 'updated').length;
  const [processed, failed] = [batch.length, errors.length];
  return { errors, counts: { processed, created, updated, skipped: processed - failed - created - updated, failed } };
}

const ERASED = 'email belongs to a contact that was erased';
