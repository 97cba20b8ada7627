import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { ProviderDirectory } from '../../provider-settings/index.js';
import { ForceOptOutSync } from './force-opt-out-sync.service.js';
import type { OptOutSyncRepository } from './ports/opt-out-sync.repository.js';
import type { SyncOptOuts } from './sync-opt-outs.service.js';

describe('ForceOptOutSync, with a list that takes long', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    { isRunning: true, before: { total: 3, isUnfinished: true } },
    { isRunning: false, before: { total: 3, isUnfinished: true } },
    // The last complete pass found as many numbers as this one has read so far.
    { isRunning: true, before: { total: 7, isUnfinished: false } },
  ])('returns the progress so far in time: %j', async ({ isRunning, before }) => {
    const soFar = { added: 5, total: 7, syncedAt: new Date(0), error: null };
    const states: object[] = [{ ...soFar, ...before }];
    const run = jest.fn(() => new Promise(() => undefined));
    const force = new ForceOptOutSync(
      { findSms: () => Promise.resolve({}) } as unknown as ProviderDirectory,
      { run, hasList: () => true } as unknown as SyncOptOuts,
      {
        get: () => Promise.resolve({ isUnfinished: true, ...soFar, ...states.shift(), isRunning }),
      } as unknown as OptOutSyncRepository,
    );
    // Read for the deadline, for whether it has passed, and for the time left until then.
    const times = [0, 1, 7_990];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 30_000);
    expect(await force.sync('account')).toEqual({ sync: { ...soFar, syncedAt: null }, isComplete: false });
    expect(run).toHaveBeenCalledTimes(isRunning ? 0 : 1);
  });

  it.each([
    [{ error: 'connect ECONNREFUSED', total: 9 }, 'Provider error: connect ECONNREFUSED'],
    [{ error: null, total: 7 }, 'Provider error: no page of the opt-out list was read within 8 seconds'],
    [{ error: null, total: 0 }, 'Provider error: no page of the opt-out list was read within 8 seconds'],
  ])('fails in time if no page is read: %j', async (then, message) => {
    const states = [{ added: 5, total: 7, syncedAt: null, error: null, isRunning: true, isUnfinished: true }];
    const last = { added: 5, syncedAt: null, isRunning: true, ...then };
    const force = new ForceOptOutSync(
      { findSms: () => Promise.resolve({}) } as unknown as ProviderDirectory,
      { hasList: () => true } as unknown as SyncOptOuts,
      { get: () => Promise.resolve(states.shift() ?? last) } as unknown as OptOutSyncRepository,
    );
    const times = [0];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 8_000);
    await expect(force.sync('account')).rejects.toMatchObject({ kind: 'provider', message });
  });
});
