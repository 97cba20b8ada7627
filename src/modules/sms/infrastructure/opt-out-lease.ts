import { LeaseLostError } from '../application/ports/opt-out-sync.repository.js';

/** Longer than a page takes, including a request that times out. */
const LEASE_MS = 3 * 60_000;

export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** The row that a statement returns only while the lease is held. */
export function requireLease<T>(rows: T[]): [T] {
  const [row] = rows;
  if (row === undefined) throw new LeaseLostError('The lease was lost');
  return [row];
}
