import { describe, expect, it } from '@jest/globals';

import type { Database } from '../../../../platform/database/database.js';
import { acceptUnits } from './accept-units.js';
import type { Unit } from './message-units.js';

const USAGE = { accountCap: 10, accountUsed: 4, keyLimit: null, keyUsed: 4, testBytes: 0, room: 4 };
const OPTIONS = { day: '2026-03-01', lockWaitMs: 100 };

/** A plain unit like `a1`: the first character is its account, the number its size. */
const unit = (id: string, more: Partial<Unit> = {}): Unit => ({
  ...{ accountId: id.charAt(0), apiKeyId: 'key', size: Number(id.slice(1)), length: 0, isPlain: true, hasKey: false },
  rows: () => [{ id }],
  parts: () => [],
  ...more,
});

/** `outcomes` are those that the statements return, one list after the other. */
async function accept(units: readonly Unit[], ...outcomes: (string | null)[][]) {
  const statements: string[][] = [];
  const database = {
    query: () => {
      statements.push(['start counters']);
      return Promise.resolve([]);
    },
    prepared: (name: string, _text: string, [rows]: [string]) => {
      statements.push([name, ...(JSON.parse(rows) as { id: string }[]).map(({ id }) => id)]);
      const next = outcomes.shift();
      if (!next) return Promise.reject(new Error('lost connection'));
      return Promise.resolve(next.map((outcome) => ({ ...USAGE, outcome })));
    },
  } as unknown as Database;
  const results = await acceptUnits(database, units, OPTIONS);
  return { results: results.map((result) => (result instanceof Error ? result.message : result.outcome)), statements };
}

const OVER = 'account_cap_reached';

describe('acceptUnits', () => {
  it('accepts all in one statement and reports their usage', async () => {
    const { results, statements } = await accept([unit('a1'), unit('b1')], ['accepted', OVER]);
    expect(results).toEqual(['accepted', 'over_cap']);
    expect(statements).toEqual([['accept_messages', 'a1', 'b1']]);
  });

  it.each([
    ['accept_messages_once', { hasKey: true }],
    ['accept_groups', { isPlain: false, hasKey: true }],
  ])('runs %s only if a unit needs it', async (name, more) => {
    const { statements } = await accept([unit('a1'), unit('b1', more)], ['accepted', 'duplicate']);
    expect(statements).toEqual([[name, 'a1', 'b1']]);
  });

  it('tries units over a cap again if their account has a duplicate, and no others', async () => {
    const units = ['a1', 'a1', 'b1', 'c1', 'd1'].map((id) => unit(id));
    const outcomes = ['duplicate', OVER, OVER, 'accepted', 'suppressed'];
    const { results, statements } = await accept(units, outcomes, ['accepted']);
    expect(results).toEqual(['duplicate', 'accepted', 'over_cap', 'accepted', 'suppressed']);
    expect(statements[1]).toEqual(['accept_messages', 'a1']);
  });

  it('tries again what is smaller than the largest unit of its account over a cap, until none is', async () => {
    const units = ['a3', 'a5', 'a2', 'a1', 'b2', 'a1'].map((id) => unit(id));
    const { results, statements } = await accept(
      units,
      ['accepted', OVER, OVER, OVER, OVER, OVER],
      [OVER, OVER, OVER],
      ['accepted', OVER],
    );
    expect(results).toEqual(['accepted', 'over_cap', 'over_cap', 'accepted', 'over_cap', 'over_cap']);
    expect(statements.slice(1)).toEqual([
      ['accept_messages', 'a2', 'a1', 'a1'],
      ['accept_messages', 'a1', 'a1'],
    ]);
  });

  it('fails only what is tried again if that fails', async () => {
    const units = ['a1', 'a1', 'c1'].map((id) => unit(id));
    const { results } = await accept(units, ['duplicate', OVER, 'accepted']);
    expect(results).toEqual(['duplicate', 'lost connection', 'accepted']);
  });

  it('fails as a whole if a further try fails and nothing was accepted', async () => {
    const units = ['a1', 'a1'].map((id) => unit(id));
    await expect(accept(units, ['duplicate', OVER])).rejects.toThrow('lost connection');
  });

  it('does not try again what is larger than the room was', async () => {
    const { statements } = await accept(
      ['a6', 'a5', 'a3'].map((id) => unit(id)),
      [OVER, OVER, OVER],
      [OVER],
    );
    expect(statements).toEqual([
      ['accept_messages', 'a6', 'a5', 'a3'],
      ['accept_messages', 'a3'],
    ]);
  });

  it('inserts missing counters, and does that once', async () => {
    const units = ['a1', 'b1', 'c1'].map((id) => unit(id));
    const { results, statements } = await accept(units, ['accepted', null, null], ['accepted', null]);
    expect(results).toEqual(['accepted', 'accepted', 'The service is temporarily unavailable']);
    expect(statements.slice(1)).toEqual([['start counters'], ['accept_messages', 'b1', 'c1']]);
  });
});
