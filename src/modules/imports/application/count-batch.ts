import { normaliseEmail } from '../../../shared/email-address.js';
import { type ContactRow, lastPerAddress } from '../../contacts/index.js';
import type { RowCounts, RowError } from '../domain/contact-import.js';
import type { RowOutcomes } from './import-rows.service.js';
import { type ReadCsvRow, rowError } from './read-csv-row.js';

interface ValidRow {
  line: number;
  row: ContactRow;
}

/** The valid rows; of several with the same address, the last. */
export const distinctRows = (batch: readonly ReadCsvRow[]): ValidRow[] => [
  ...lastPerAddress(batch.filter((read) => 'row' in read)).values(),
];

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
