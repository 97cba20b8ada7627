import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { ProviderDirectory } from '../../provider-settings/index.js';
import { ForceOptOutSync } from './force-opt-out-sync.service.js';
import type { OptOutProgress } from './ports/opt-out-progress.js';
import type { SyncOptOuts } from './sync-opt-outs.service.js';

describe('A forced sync of a list that takes long', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    { isBeingRead: true, before: { total: 3, isUnfinished: true } },
    { isBeingRead: false, before: { total: 3, isUnfinished: true } },
    // The last pass was complete and found as many as this one has read so far.
    { isBeingRead: true, before: { total: 7, isUnfinished: false } },
  ])('answers in time how far it has come: %j', async ({ isBeingRead, before }) => {
    const soFar = { added: 5, total: 7, syncedAt: null, error: null };
    const states: object[] = [{ ...soFar, ...before }];
    const run = jest.fn(() => new Promise(() => undefined));
    const force = new ForceOptOutSync(
      { findSms: () => Promise.resolve({}) } as unknown as ProviderDirectory,
      { run } as unknown as SyncOptOuts,
      {
        find: () => Promise.resolve({ isUnfinished: true, ...soFar, ...states.shift(), isBeingRead }),
      } as unknown as OptOutProgress,
      { now: () => new Date(), catchUp: () => Promise.resolve() },
    );
    // Asked for the deadline, whether it has passed, and how long that still is.
    const times = [0, 1, 7_990];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 30_000);
    expect(await force.sync('account')).toEqual({ sync: soFar, isComplete: false });
    expect(run).toHaveBeenCalledTimes(isBeingRead ? 0 : 1);
  });

  it.each([
    [{ error: 'connect ECONNREFUSED', total: 9 }, 'Provider error: connect ECONNREFUSED'],
    [{ error: null, total: 7 }, 'Provider error: no page of the opt-out list was read within 8 seconds'],
    [{ error: null, total: 0 }, 'Provider error: no page of the opt-out list was read within 8 seconds'],
  ])('fails in time where it comes on no further: %j', async (then, message) => {
    const states = [{ added: 5, total: 7, syncedAt: null, error: null, isBeingRead: true, isUnfinished: true }];
    const last = { added: 5, syncedAt: null, isBeingRead: true, ...then };
    const force = new ForceOptOutSync(
      { findSms: () => Promise.resolve({}) } as unknown as ProviderDirectory,
      {} as unknown as SyncOptOuts,
      { find: () => Promise.resolve(states.shift() ?? last) } as unknown as OptOutProgress,
      { now: () => new Date(), catchUp: () => Promise.resolve() },
    );
    const times = [0];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 8_000);
    await expect(force.sync('account')).rejects.toMatchObject({ kind: 'provider', message });
  });
});
