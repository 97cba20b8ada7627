import type { DatabaseFaults } from '../../shared/ports/database-faults.js';

const codeOf = (error: unknown): string => {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return driverError?.code ?? code ?? '';
};

const constraintOf = (error: unknown): string | undefined =>
  (((error as { driverError?: unknown }).driverError ?? error) as { constraint?: string }).constraint;

const messageOf = (error: unknown): string => (error as Error | undefined)?.message ?? '';

/** 40001 serialisation failure, 40P01 deadlock: the same transaction may succeed when run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** The database refused the values of a row (class 22 data exception, 23 constraint violation). */
export const isRowFault = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/**
 * 23514 without a constraint: no partition takes the row, because that of its month is being detached. It is attached
 * again before the next try, or what the row belongs to is found to be gone.
 */
const isPartitionMissing = (error: unknown): boolean => codeOf(error) === '23514' && constraintOf(error) === undefined;

/** 57014: the statement timed out, possibly while waiting for a lock. */
export const isTimedOut = (error: unknown): boolean => codeOf(error) === '57014';

/** 55P03: a lock could not be had within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const violated = constraintOf(error);
  return codeOf(error) === '23505' && (constraint === undefined || violated === constraint);
};

/** No connection is available. */
export const isDatabaseOutOfReach = (error: unknown): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|53300|57P03)/.test(codeOf(error)) ||
  /timeout exceeded when trying to connect|due to connection timeout/.test(messageOf(error));

/**
 * Messages of errors without a code. A connection that breaks between two statements of a transaction fails the next
 * one with `is not queryable` (pg) or, because TypeORM has released its runner, `Query runner already released`.
 */
const CONNECTION_LOST = /Connection terminated|Query read timeout|is not queryable|Query runner already released/;

/**
 * The call may succeed later: PostgreSQL is out of reach, shutting down or starting, does not answer in time, waited
 * too long for a lock (55P03), cannot write now (class 53: disk full, out of memory; 25006: read-only, for instance a
 * standby), has ended a transaction because this process was paused within it (25P03), or is detaching the partition of
 * the row.
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseOutOfReach(error) ||
  isPartitionMissing(error) ||
  /^(08|57P|57014|55P03|53|58030|25006|25P03|ECONN|EPIPE)/.test(codeOf(error)) ||
  CONNECTION_LOST.test(messageOf(error));

/**
 * No server answers, as while it is starting or its host is, or all its connections are taken. A name that DNS does not
 * know is one of these: that of a container resolves once it runs.
 */
export const isServerUnreachable = (error: unknown): boolean =>
  isDatabaseOutOfReach(error) || /^(08|57P|ECONN|EPIPE)/.test(codeOf(error)) || CONNECTION_LOST.test(messageOf(error));

class UnusableDatabase extends Error {}

/**
 * The error of a process that cannot start with this database. It names the server, not the password. If a name has
 * several addresses, the cause is an AggregateError with a code but no message.
 */
export function unusableDatabase(url: string, cause: unknown): Error {
  if (cause instanceof UnusableDatabase) return cause;
  const { host, pathname } = new URL(url);
  const { message, code } = cause as NodeJS.ErrnoException;
  return new UnusableDatabase(
    `The database ${host}${pathname} (DATABASE_URL) cannot be used: ${message || String(code)}`,
    { cause },
  );
}

export const POSTGRES_FAULTS: DatabaseFaults = {
  isRowFault,
  isTimedOut,
  isLockTimeout,
  isOutOfReach: isDatabaseOutOfReach,
  isUnavailable: isDatabaseUnavailable,
};
