import type { QueryRunner } from 'typeorm';

import { API_VERSION } from '../http/version.js';

/** Later releases write it, so its form stays. A migration that contracts the schema sets it. */
const OLDEST_RELEASE = /^oldest release: (\d+\.\d+\.\d+)$/;

/**
 * Throws if a later release has removed from the schema what this one needs. Migrations that this release does not
 * know, but can run with, are named in one warning.
 */
export async function requireRelease(
  runner: QueryRunner,
  known: readonly string[],
  warn: (line: string) => void,
): Promise<void> {
  const [{ table, comment }] = (await runner.query(
    `SELECT to_regclass('migrations') AS table, obj_description(to_regclass('migrations'), 'pg_class') AS comment`,
  )) as [{ table: string | null; comment: string | null }];
  if (table === null) return;
  const oldest = OLDEST_RELEASE.exec(comment ?? '')?.[1];
  if (oldest !== undefined && isBefore(API_VERSION, oldest))
    throw new Error(
      `a later release has changed it: this is release ${API_VERSION}, and ${oldest} is the oldest that still runs with it. ` +
        `Start ${oldest} or later, or restore the backup from before the upgrade`,
    );
  const unknown = (await runner.query('SELECT name FROM migrations WHERE name <> ALL ($1) ORDER BY timestamp, name', [
    known,
  ])) as { name: string }[];
  if (unknown.length > 0)
    warn(
      `The database has migrations of a later release than ${API_VERSION}, which this one runs with: ` +
        unknown.map(({ name }) => name).join(', '),
    );
}

export const isBefore = (release: string, other: string): boolean =>
  release.localeCompare(other, 'en', { numeric: true }) < 0;
