import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { ProviderDirectory } from '../../accounts/index.js';
import { ForceOptOutSync } from './force-opt-out-sync.service.js';
import type { OptOutProgress } from './ports/opt-out-progress.js';
import type { SyncOptOuts } from './sync-opt-outs.service.js';

describe('A forced sync of a list that takes long', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([true, false])('answers in time how far it has come; read by another process: %s', async (isBeingRead) => {
    const soFar = { added: 5, total: 7, syncedAt: null };
    const run = jest.fn(() => new Promise(() => undefined));
    const force = new ForceOptOutSync(
      { findSms: () => Promise.resolve({}) } as unknown as ProviderDirectory,
      { run } as unknown as SyncOptOuts,
      { find: () => Promise.resolve({ ...soFar, isBeingRead }) } as unknown as OptOutProgress,
      { now: () => new Date() },
    );
    // Asked for the deadline, whether it has passed, and how long that still is.
    const times = [0, 1, 24_990];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 30_000);
    expect(await force.sync('account')).toEqual({ sync: soFar, isComplete: false });
    expect(run).toHaveBeenCalledTimes(isBeingRead ? 0 : 1);
  });
});
