import type { Database } from '../../../../platform/database/database.js';
import { jsonArray } from '../../../../platform/database/json-array.js';
import { DomainError } from '../../../../shared/domain-error.js';
import type { TransactionOptions } from '../../../../shared/ports/transaction-runner.js';
import type { IntakeResult } from '../../application/ports/message-intake.js';
import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';
import { ACCEPT, ACCEPT_GROUPS, ACCEPT_ONCE, FREE_COUNTERS, LOCK_COUNTERS, START_COUNTERS } from './accept.sql.js';
import type { Unit } from './message-units.js';

interface Options {
  /** The UTC day of the counters. */
  day: string;
  /** A statement that waits longer for locked counters fails (`isLockTimeout`). Null: the limit of the transaction. */
  lockWaitMs: number | null;
}

export type AcceptRow = CapUsage & {
  /** Null if the account or a counter was deleted. */
  outcome: Exclude<IntakeResult['outcome'], 'over_cap'> | ReachedCap | null;
  /** The name of the topic that the recipient is out of. */
  topic: string | null;
  /** How many messages the account and key could still send before the statement. */
  room: number | null;
};

/** An error fails only its own unit. */
type Result = IntakeResult | Error;

type Counted = Pick<Unit, 'accountId' | 'apiKeyId' | 'size'>;

interface Tried<U> {
  unit: U;
  result: Result;
  room: number;
}

/** Counts the units under the caps and stores those within them, in order. */
export const acceptUnits = (database: Database, units: readonly Unit[], options: Options): Promise<Result[]> =>
  tryUnits(database, units, options, (chosen) => runStatement(database, chosen, options));

/**
 * Runs a statement that accepts units. Those that may fit once others have not been accepted are tried again. If that
 * fails, only they fail, for the others are committed; it throws if none was accepted, as if it were the first try.
 */
export async function tryUnits<U extends Counted>(
  database: Database,
  units: readonly U[],
  options: Options,
  run: (units: readonly U[]) => Promise<AcceptRow[]>,
  areCountersStarted = false,
): Promise<Result[]> {
  const rows = await run(units);
  const tried = units.map((unit, i) => ({ unit, result: toResult(rows[i]), room: rows[i]?.room ?? Infinity }));
  const isAnyAccepted = rows.some(({ outcome }) => outcome === 'accepted');
  const retry = async (chosen: Tried<U>[], mayStartCounters: boolean): Promise<void> => {
    if (chosen.length === 0) return;
    const again = chosen.map(({ unit }) => unit);
    try {
      if (mayStartCounters) await startCounters(database, subjectsOf(again), options);
      const results = await tryUnits(database, again, options, run, true);
      for (const [i, each] of chosen.entries()) each.result = results[i] ?? each.result;
    } catch (error) {
      if (!isAnyAccepted) throw error;
      for (const each of chosen) each.result = error as Error;
    }
  };
  const uncounted = areCountersStarted ? [] : tried.filter((_, i) => rows[i]?.outcome === null);
  await retry(uncounted, true);
  await retry(fittingLater(tried.filter((each) => !uncounted.includes(each))), false);
  return tried.map(({ result }) => result);
}

/**
 * A refused unit takes its rank from smaller ones of its account, and a duplicate may take it from all. A unit that is
 * larger than the room was cannot fit.
 */
function fittingLater<U extends Counted>(tried: readonly Tried<U>[]): Tried<U>[] {
  const refused = tried.filter(({ result }) => isOutcome(result, 'over_cap'));
  const largest = new Map<string, number>();
  for (const { unit } of refused) largest.set(unit.accountId, Math.max(unit.size, largest.get(unit.accountId) ?? 0));
  for (const { unit, result } of tried) if (isOutcome(result, 'duplicate')) largest.set(unit.accountId, Infinity);
  return refused.filter(({ unit, room }) => unit.size <= room && unit.size < (largest.get(unit.accountId) ?? 0));
}

const isOutcome = (result: Result, outcome: IntakeResult['outcome']): boolean =>
  !(result instanceof Error) && result.outcome === outcome;

async function runStatement(
  database: Database,
  units: readonly Unit[],
  { day, lockWaitMs }: Options,
): Promise<AcceptRow[]> {
  // A batch has megabytes and, with copies, up to 20,500 messages.
  const rows = await jsonArray(rowsOf(units));
  const values = [rows, subjectsOf(units), day, lockWaitOf(lockWaitMs)];
  if (!units.every(({ isPlain }) => isPlain))
    return database.prepared('accept_groups', ACCEPT_GROUPS, [...values, ...partsOf(units)]);
  return units.some(({ hasKey }) => hasKey)
    ? database.prepared('accept_messages_once', ACCEPT_ONCE, values)
    : database.prepared('accept_messages', ACCEPT, values);
}

function* rowsOf(units: readonly Unit[]): Generator<object> {
  for (const [i, unit] of units.entries()) yield* unit.rows(i);
}

/** The parts of all attachments, and their bytes as one value. */
function partsOf(units: readonly Unit[]): [string, Buffer] {
  const parts = units.flatMap((unit) => unit.parts());
  let start = 1;
  const rows = parts.map(({ bytes, ...part }) => {
    const row = { ...part, start, length: bytes.length };
    start += bytes.length;
    return row;
  });
  return [JSON.stringify(rows), Buffer.concat(parts.map(({ bytes }) => bytes))];
}

function toResult(row: AcceptRow | undefined): Result {
  if (!row) throw new Error('A unit has no outcome');
  const { outcome, accountCap, accountUsed, keyLimit, keyUsed, testBytes } = row;
  if (outcome === null)
    return new DomainError('unavailable', 'overloaded', 'The service is temporarily unavailable', 1);
  if (outcome === 'accepted') return { outcome, usage: { accountCap, accountUsed, keyLimit, keyUsed, testBytes } };
  if (outcome === 'out_of_topic') return { outcome, topic: row.topic ?? '' };
  return outcome === 'duplicate' || outcome === 'suppressed' || outcome === 'unknown_topic'
    ? { outcome }
    : { outcome: 'over_cap', cap: outcome };
}

/** The account and key of each unit, which have the counters. */
export const subjectsOf = (units: readonly Pick<Unit, 'accountId' | 'apiKeyId'>[]): string[] => [
  ...new Set(units.flatMap(({ accountId, apiKeyId }) => [accountId, apiKeyId ?? accountId])),
];

/**
 * Inserts missing counters. Call it before a long transaction: others who need one of these counters would otherwise
 * wait for its commit.
 */
export async function startCounters(
  database: Database,
  subjects: readonly string[],
  { day, lockWaitMs }: Options,
): Promise<void> {
  await database.query(START_COUNTERS, [subjects, day, lockWaitOf(lockWaitMs)]);
}

const lockWaitOf = (ms: number | null): string | null => (ms === null ? null : String(ms));

/** Locks the counters until the current transaction ends. */
export async function lockCounters(database: Database, subjects: readonly string[], day: string): Promise<void> {
  await database.query(LOCK_COUNTERS, [subjects, day]);
}

/** The units whose counters no other transaction has locked. */
export async function findFree(database: Database, units: readonly Unit[], day: string): Promise<ReadonlySet<Unit>> {
  const rows = await database.query<{ id: string }>(FREE_COUNTERS, [subjectsOf(units), day]);
  const free = new Set(rows.map(({ id }) => id));
  return new Set(units.filter((unit) => subjectsOf([unit]).every((subject) => free.has(subject))));
}

/** Ends a transaction whose result must not be committed. */
class NotAccepted extends Error {
  constructor(readonly result: unknown) {
    super();
  }
}

/** Runs `accept` in a transaction, which is rolled back unless the result is `accepted`. */
export async function commitIfAccepted<Accepted extends { outcome: string }>(
  database: Database,
  accept: () => Promise<Accepted>,
  options: TransactionOptions = {},
): Promise<Accepted> {
  try {
    return await database.run(async () => {
      const result = await accept();
      if (result.outcome !== 'accepted') throw new NotAccepted(result);
      return result;
    }, options);
  } catch (error) {
    if (error instanceof NotAccepted) return error.result as Accepted;
    throw error;
  }
}
