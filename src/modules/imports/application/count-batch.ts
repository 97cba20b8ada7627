import { normaliseEmail } from '../../../shared/email-address.js';
import type { ContactRow } from '../../contacts/index.js';
import type { RowCounts, RowError } from '../domain/contact-import.js';
import type { RowOutcomes } from './import-rows.service.js';
import { type ReadCsvRow, rowError } from './read-csv-row.js';

interface ValidRow {
  line: number;
  row: ContactRow;
}

/** Keeps the last of several valid rows with one address. */
export function lastPerAddress(batch: readonly ReadCsvRow[]): ValidRow[] {
  const byAddress = new Map<string, ValidRow>();
  for (const read of batch) if ('row' in read) byAddress.set(normaliseEmail(read.row.email), read);
  return [...byAddress.values()];
}

/** Counts what happened to the rows of `batch`, of which `rows` were written. */
export function countBatch(
  batch: readonly ReadCsvRow[],
  rows: readonly ValidRow[],
  outcomes: RowOutcomes,
): { counts: RowCounts; errors: RowError[] } {
  const errors = [
    ...batch.flatMap((read) => ('row' in read ? [] : [read])),
    ...rows.flatMap(({ line, row: { email } }) => {
      const result = outcomes.get(normaliseEmail(email));
      if (!result) return [rowError(line, undefined, ERASED)];
      return result.outcome === 'refused' ? [rowError(line, email, result.fault)] : [];
    }),
  ].sort((a, b) => a.line - b.line);
  const count = (wanted: string) => [...outcomes.values()].filter(({ outcome }) => outcome === wanted).length;
  const [created, updated] = [count('created'), count('updated')];
  const [processed, failed] = [batch.length, errors.length];
  return { errors, counts: { processed, created, updated, skipped: processed - failed - created - updated, failed } };
}

/** Does not repeat the address. */
const ERASED = 'email belongs to a contact that was erased';
