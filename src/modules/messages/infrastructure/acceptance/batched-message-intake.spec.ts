import { describe, expect, it } from '@jest/globals';

import type { Database } from '../../../../platform/database/database.js';
import type { Config } from '../../../../config/config.js';
import { Clock } from '../../../../shared/ports/clock.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { AccountChanges } from '../../../../shared/ports/account-changes.js';
import { BatchedMessageIntake } from './batched-message-intake.js';
import { RecentUsage } from './recent-usage.js';

class FixedClock extends Clock {
  now = () => new Date('2026-03-01T10:00:00Z');
}

const NO_CHANGES = { onChange: () => undefined } as unknown as AccountChanges;
const KEY = { accountId: 'account', apiKeyId: 'key' };

const USAGE = { accountCap: 10, accountUsed: 4, keyLimit: null, keyUsed: 4 };
const ACCEPTED = { ...USAGE, isAccepted: true, isDuplicate: false, hasCounters: true };
const DUPLICATE = { ...ACCEPTED, isAccepted: false, isDuplicate: true };
const OVER_CAP = { ...ACCEPTED, isAccepted: false, accountUsed: 10 };
const SUPPRESSED = { ...ACCEPTED, isAccepted: false, isSuppressed: true, hasCounters: false };
const GONE = { ...ACCEPTED, isAccepted: false, hasCounters: false };

/** `answers` are the rows that the statements return, one list after the other. */
function intakeOf(...answers: unknown[][]) {
  const batches: string[][] = [];
  let countersStarted = 0;
  const database = {
    query: () => {
      countersStarted += 1;
      return Promise.resolve([]);
    },
    prepared: (name: string, _text: string, [messages]: [string]) => {
      batches.push([name, ...(JSON.parse(messages) as { id: string }[]).map(({ id }) => id)]);
      const rows = answers.shift();
      return rows ? Promise.resolve(rows) : Promise.reject(new Error('lost connection'));
    },
  } as unknown as Database;
  const recent = new RecentUsage(NO_CHANGES);
  const intake = new BatchedMessageIntake(database, recent, new FixedClock(), { databasePoolSize: 20 } as Config);
  const accept = (id: string, key?: string) =>
    intake.accept({ id, accountId: 'account', apiKeyId: 'key', createdAt: new Date(0) } as NewMessage, {
      keyLimit: null,
      idempotencyKey: key === undefined ? undefined : { key, fingerprint: 'f' },
    });
  const remembered = () => recent.find(KEY, '2026-03-01');
  return { accept, batches, countersStarted: () => countersStarted, remembered };
}

describe('BatchedMessageIntake', () => {
  it('accepts concurrent messages in one statement and reports their usage', async () => {
    const { accept, batches } = intakeOf([ACCEPTED, OVER_CAP]);
    expect(await Promise.all([accept('a'), accept('b')])).toEqual([
      { outcome: 'accepted', usage: USAGE },
      { outcome: 'over_cap', cap: 'account_cap_reached' },
    ]);
    expect(batches).toEqual([['accept_messages', 'a', 'b']]);
  });

  it('uses the longer statement only with an idempotency key', async () => {
    const { accept, batches } = intakeOf([ACCEPTED], [DUPLICATE]);
    await accept('a');
    expect(await accept('b', 'key')).toEqual({ outcome: 'duplicate' });
    expect(batches.map(([name]) => name)).toEqual(['accept_messages', 'accept_messages_once']);
  });

  it('tries messages over a cap again if a duplicate was in their batch', async () => {
    const { accept, batches } = intakeOf([DUPLICATE, OVER_CAP, ACCEPTED], [ACCEPTED]);
    const results = await Promise.all([accept('a', 'key'), accept('b'), accept('c')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['duplicate', 'accepted', 'accepted']);
    expect(batches[1]).toEqual(['accept_messages_skip', 'b']);
  });

  it('fails only the messages over a cap if trying them again fails', async () => {
    const { accept } = intakeOf([DUPLICATE, OVER_CAP, ACCEPTED]);
    const results = await Promise.allSettled([accept('a', 'key'), accept('b'), accept('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses suppressed recipients alone, and does not try them again', async () => {
    const { accept, batches } = intakeOf([DUPLICATE, SUPPRESSED, ACCEPTED]);
    const results = await Promise.all([accept('a', 'key'), accept('b'), accept('c')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['duplicate', 'suppressed', 'accepted']);
    expect(batches).toHaveLength(1);
  });

  it('remembers the usage after the last message, until one is refused', async () => {
    const { accept, remembered } = intakeOf([{ ...ACCEPTED, accountUsed: 3 }, ACCEPTED], [OVER_CAP]);
    await Promise.all([accept('a'), accept('b')]);
    expect(remembered()).toEqual({ accountCap: 10, accountUsed: 4, keyUsed: 4 });
    await accept('c');
    expect(remembered()).toBeNull();
  });

  it('inserts the counters of a day once, and again after they were missing', async () => {
    const { accept, countersStarted } = intakeOf([ACCEPTED], [GONE], [ACCEPTED]);
    await accept('a');
    await expect(accept('b')).rejects.toMatchObject({ kind: 'unavailable', code: 'no_counter' });
    expect(countersStarted()).toBe(1);
    await accept('c');
    expect(countersStarted()).toBe(2);
  });
});
