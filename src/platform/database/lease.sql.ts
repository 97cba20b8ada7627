/**
 * The end of a lease that begins now. Leases are set and compared by the clock of the database, in the statement: the
 * copies of two processes differ while that clock is being set.
 */
export const leaseEnd = (milliseconds: number): string => `clock_timestamp() + interval '${milliseconds} milliseconds'`;

const TOLERANCE = `interval '5 seconds'`;

/**
 * Whether the lease that ends at `column` has expired. `steady` is the parameter for `DatabaseClock.steadyNow`: if that
 * is not about the time of the database, its clock has been set, and nobody knows which leases have expired.
 */
export const hasExpired = (column: string, steady: string): string =>
  `(${column} <= clock_timestamp()
    AND ${steady}::timestamptz BETWEEN clock_timestamp() - ${TOLERANCE} AND clock_timestamp() + ${TOLERANCE})`;
