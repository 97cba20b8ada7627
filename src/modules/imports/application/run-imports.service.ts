import { Injectable } from '@nestjs/common';

import { MAX_IMPORT_ERRORS, MAX_IMPORT_ROWS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { findColumns } from '../domain/column-mapping.js';
import type { ClaimedImport, FileRow } from '../domain/contact-import.js';
import { SeenAddresses } from '../domain/seen-addresses.js';
import { countBatch, distinctRows } from './count-batch.js';
import { ImportRows } from './import-rows.service.js';
import { ClaimLostError, ImportClaims } from './ports/import-claims.js';
import { ImportRepository } from './ports/import.repository.js';
import { type FileHeader, type ReadCsvRow, readCsvRow } from './read-csv-row.js';

/** Small, so that most of it is freed while it is in the young generation of the heap. */
const BATCH_SIZE = 250;
const MAX_ATTEMPTS = 5;
/** An import may take an hour: after this time it lets those of other accounts have its slot. */
const TURN_MS = 60_000;

/** Ends the turn of an import, which continues in a later one. */
class TurnEnded extends Error {}

@Injectable()
export class RunImports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly imports: ImportRepository,
    private readonly claims: ImportClaims,
    private readonly importRows: ImportRows,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the waiting imports of the account one after the other, unless another worker does so. If those of other
   * accounts wait, too, the account continues in another job, behind them.
   */
  async run(accountId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const next = await this.claims.claim(accountId, this.clock.now());
      if (!next) return;
      await this.runOne(next.claimed, next.attempt, stopping);
      if (!(await this.doOthersWait(accountId))) continue;
      await this.queue.enqueue([{ name: 'import-contacts', payload: { accountId } }]);
      return;
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
      if (error instanceof TurnEnded || (stopping.aborted && error === stopping.reason)) {
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
      if (rows > MAX_IMPORT_ROWS)
        throw DomainError.invalid(`The file has more than ${MAX_IMPORT_ROWS} rows: line ${line}`);
    }
    await this.claims.recordTotal(claimed, rows);
  }

  private async importBatches(claimed: ClaimedImport, stopping: AbortSignal): Promise<void> {
    const seen = new SeenAddresses();
    let turnEndsAt = 0;
    for await (const batch of this.readBatches(claimed, stopping)) {
      stopping.throwIfAborted();
      const now = this.clock.now().getTime();
      // A turn begins after the rows that are skipped. A dry run has one: it could not be continued.
      if (now >= turnEndsAt && !claimed.dryRun) {
        if (turnEndsAt > 0 && (await this.doOthersWait(claimed.accountId))) throw new TurnEnded();
        turnEndsAt = now + TURN_MS;
      }
      await this.importBatch(claimed, batch, seen);
    }
  }

  private async doOthersWait(accountId: string): Promise<boolean> {
    const waiting = await this.claims.listWaitingAcrossAccounts();
    return waiting.some((id) => id !== accountId);
  }

  /** Skips the rows that are already processed. */
  private async *readBatches(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<ReadCsvRow[], void> {
    let batch: ReadCsvRow[] = [];
    let header: FileHeader | undefined;
    let toSkip = claimed.processed;
    for await (const { line, cells } of this.readRows(claimed, stopping)) {
      if (!header) {
        header = { columns: findColumns(claimed.mapping, cells), width: cells.length };
      } else if (toSkip > 0) {
        toSkip -= 1;
      } else {
        batch.push(readCsvRow(line, cells, header, this.clock.now()));
        if (batch.length < BATCH_SIZE) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** The counts are written in the transaction of the rows, so that a crash neither loses nor repeats them. */
  private async importBatch(claimed: ClaimedImport, batch: ReadCsvRow[], seen: SeenAddresses): Promise<void> {
    const { accountId, dryRun, listId, userId } = claimed;
    const distinct = distinctRows(batch);
    const rows = dryRun ? distinct.filter(({ row }) => seen.add(normaliseEmail(row.email))) : distinct;
    const contacts = rows.map(({ row }) => row);
    const maxErrors = MAX_IMPORT_ERRORS - claimed.errors.length;
    const errors = await this.transactions.runInLane(accountId, async () => {
      const outcomes = dryRun
        ? await this.importRows.preview(accountId, contacts, listId)
        : await this.importRows.write(accountId, contacts, { listId, userId });
      const counted = countBatch(batch, rows, outcomes);
      const kept = counted.errors.slice(0, maxErrors);
      await this.claims.advance(claimed, counted.counts, kept);
      return kept;
    });
    claimed.errors.push(...errors);
  }

  /** Every chunk renews the claim and is an opportunity to stop. Throws ClaimLostError or the reason of `stopping`. */
  private readRows(claimed: ClaimedImport, stopping: AbortSignal): AsyncGenerator<FileRow, void> {
    return this.imports.readRows(claimed.accountId, claimed.id, async () => {
      stopping.throwIfAborted();
      await this.claims.renew(claimed);
    });
  }
}
