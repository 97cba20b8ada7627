import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { findColumns } from '../domain/column-mapping.js';
import { type ClaimedImport, type FileRow, MAX_ROW_ERRORS } from '../domain/contact-import.js';
import { SeenAddresses } from '../domain/seen-addresses.js';
import { countBatch, lastPerAddress } from './count-batch.js';
import { ImportRows } from './import-rows.service.js';
import { ClaimLostError, ImportClaims } from './ports/import-claims.js';
import { ImportRepository } from './ports/import.repository.js';
import { type ReadCsvRow, readCsvRow } from './read-csv-row.js';

/** Small, so that most of it is freed while it is in the young generation of the heap. */
const BATCH_SIZE = 250;
const MAX_ROWS = 5_000_000;
const MAX_ATTEMPTS = 5;

@Injectable()
export class RunImports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly imports: ImportRepository,
    private readonly claims: ImportClaims,
    private readonly importRows: ImportRows,
    private readonly clock: Clock,
  ) {}

  /** Runs the waiting imports of the account one after the other, unless another worker does so. */
  async run(accountId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const next = await this.claims.claim(accountId, this.clock.now());
      if (!next) return;
      await this.runOne(next.claimed, next.attempt, stopping);
    }
  }

  private async runOne(claimed: ClaimedImport, attempt: number, stopping: AbortSignal): Promise<void> {
    try {
      if (attempt > MAX_ATTEMPTS) throw DomainError.invalid(`Gave up after ${MAX_ATTEMPTS} attempts`);
      if (claimed.total === null) await this.countRows(claimed, stopping);
      await this.importBatches(claimed, stopping);
      await this.claims.finish(claimed, null, this.clock.now());
    } catch (error) {
      if (error instanceof ClaimLostError) return;
      if (stopping.aborted && error === stopping.reason) {
        await this.claims.release(claimed);
        return;
      }
      if (!(error instanceof DomainError && error.kind === 'invalid')) throw error;
      await this.claims.finish(claimed, error.message, this.clock.now());
    }
  }

  /** Reads the whole file before anything is written, so that a file that is not CSV is not imported in part. */
  private async countRows(claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
    let rows = -1; // does not count the header
    for await (const { line } of this.readRows(claimed, stopping)) {
      rows += 1;
      if (rows > MAX_ROWS) throw DomainError.invalid(`The file has more than ${MAX_ROWS} rows: line ${line}`);
    }
    await this.claims.recordTotal(claimed, rows, this.clock.now());
  }

  private async importBatches(claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
    const seen = new SeenAddresses();
    for await (const batch of this.readBatches(claimed, stopping)) {
      stopping.throwIfAborted();
      await this.importBatch(claimed, batch, seen);
    }
  }

  /** Skips the rows that are already processed. */
  private async *readBatches(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<ReadCsvRow[], void> {
    let batch: ReadCsvRow[] = [];
    let header: string[] | undefined;
    let columns = findColumns({}, []);
    let toSkip = claimed.processed;
    for await (const { line, cells } of this.readRows(claimed, stopping)) {
      if (!header) {
        header = cells;
        columns = findColumns(claimed.mapping, header);
      } else if (toSkip > 0) {
        toSkip -= 1;
      } else {
        batch.push(readCsvRow(line, cells, columns, header.length));
        if (batch.length < BATCH_SIZE) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** The counts are written in the transaction of the rows, so that a crash neither loses nor repeats them. */
  private async importBatch(claimed: ClaimedImport, batch: ReadCsvRow[], seen: SeenAddresses): Promise<void> {
    const { accountId, dryRun, listId } = claimed;
    const distinct = lastPerAddress(batch);
    const rows = dryRun ? distinct.filter(({ row }) => seen.add(normaliseEmail(row.email))) : distinct;
    const contacts = rows.map(({ row }) => row);
    const maxErrors = MAX_ROW_ERRORS - claimed.errors.length;
    const errors = await this.transactions.runInLane(accountId, async () => {
      const outcomes = dryRun
        ? await this.importRows.preview(accountId, contacts, listId)
        : await this.importRows.write(accountId, contacts, listId);
      const counted = countBatch(batch, rows, outcomes);
      const kept = counted.errors.slice(0, maxErrors);
      await this.claims.advance(claimed, counted.counts, kept, this.clock.now());
      return kept;
    });
    claimed.errors.push(...errors);
  }

  /** Every chunk renews the claim and is an opportunity to stop. Throws ClaimLostError or the reason of `stopping`. */
  private readRows(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<FileRow, void> {
    return this.imports.readRows(claimed.accountId, claimed.id, async () => {
      stopping.throwIfAborted();
      await this.claims.renew(claimed, this.clock.now());
    });
  }
}
