import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import { MessageVersions } from './message-versions.service.js';
import type { MessageActivity } from './ports/message-activity.js';

describe('MessageVersions', () => {
  let loads: { accountIds: readonly string[]; since: Date }[];
  let fails: boolean;
  let versions: MessageVersions;

  beforeEach(() => {
    [loads, fails] = [[], false];
    const activity = {
      versionsAcrossAccounts: async (accountIds: readonly string[], since: Date) => {
        loads.push({ accountIds, since });
        if (fails) throw new Error('No database');
        return new Map(accountIds.map((id) => [id, `${id}${loads.length}`]));
      },
    };
    const clock: Clock = { now: () => new Date('2026-11-22T12:00:00Z'), catchUp: () => Promise.resolve() };
    versions = new MessageVersions(activity as unknown as MessageActivity, clock);
  });

  it('loads the accounts of all open dashboards at once, and again for a new one', async () => {
    expect(await Promise.all([versions.of('a'), versions.of('a')])).toEqual(['a1', 'a1']);
    expect(await versions.of('b')).toBe('b2');
    expect(await Promise.all([versions.of('a'), versions.of('b')])).toEqual(['a2', 'b2']);
    const since = new Date('2026-11-15T12:00:00Z');
    expect(loads).toEqual([
      { accountIds: ['a'], since },
      { accountIds: ['a', 'b'], since },
    ]);
  });

  it('loads again after a failure', async () => {
    fails = true;
    await expect(versions.of('a')).rejects.toThrow('No database');
    fails = false;
    expect(await versions.of('a')).toBe('a2');
  });
});
