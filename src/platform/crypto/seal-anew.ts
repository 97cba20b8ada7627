import type { SecretBox } from '../../shared/ports/secret-box.js';
import type { Database } from '../database/database.js';

const AT_A_TIME = 200;

/** Sealed texts in the rows `t` of a table. */
export interface SealedPlace {
  table: string;
  /** The primary key of `t`, one column of text. */
  id: string;
  /** The sealed text of `t`, or null. */
  sealed: string;
  /** The assignment that stores `v.sealed`. */
  set: string;
}

export interface SealedAnew {
  /** Texts that were sealed with the previous secret. */
  changed: number;
  /** `table` and id of texts that were sealed with neither. */
  unreadable: string[];
}

/**
 * Reseals with the current secret all texts that were sealed with the previous one, in batches. Can be repeated. A text
 * that changes meanwhile is left as it is.
 */
export async function sealAnew(
  database: Database,
  { table, id, sealed, set }: SealedPlace,
  current: SecretBox,
  previous: SecretBox,
): Promise<SealedAnew> {
  const result: SealedAnew = { changed: 0, unreadable: [] };
  const read = `SELECT ${id} AS id, ${sealed} AS sealed FROM ${table} t WHERE ${sealed} IS NOT NULL AND ${id} > $1
    ORDER BY ${id} LIMIT ${AT_A_TIME}`;
  const write = `UPDATE ${table} t SET ${set} FROM unnest($1::text[], $2::text[], $3::text[]) AS v (id, former, sealed)
    WHERE ${id} = v.id AND ${sealed} = v.former RETURNING 1`;
  for (let after = ''; ;) {
    const rows = await database.query<{ id: string; sealed: string }>(read, [after]);
    const anew: [id: string, former: string, sealed: string][] = [];
    for (const row of rows) {
      if (canOpen(current, row.sealed)) continue;
      if (canOpen(previous, row.sealed)) anew.push([row.id, row.sealed, current.seal(previous.open(row.sealed))]);
      else result.unreadable.push(`${table} ${row.id}`);
    }
    const column = (index: 0 | 1 | 2) => anew.map((row) => row[index]);
    if (anew.length > 0) result.changed += (await database.query(write, [column(0), column(1), column(2)])).length;
    after = rows.at(-1)?.id ?? '';
    if (rows.length < AT_A_TIME) return result;
  }
}

/** A sample of the sealed texts of the place. */
export async function someSealed(database: Database, { table, sealed }: SealedPlace): Promise<string[]> {
  const read = `SELECT ${sealed} AS sealed FROM ${table} t WHERE ${sealed} IS NOT NULL LIMIT ${AT_A_TIME}`;
  return (await database.query<{ sealed: string }>(read)).map((row) => row.sealed);
}

export function canOpen(secrets: SecretBox, sealed: string): boolean {
  try {
    secrets.open(sealed);
    return true;
  } catch {
    return false;
  }
}
