import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import { MessageListVersion } from './message-list-version.service.js';
import type { MessageActivity } from './ports/message-activity.js';

describe('MessageListVersion', () => {
  let loads: { accountIds: readonly string[]; since: Date }[];
  let fails: boolean;
  let versions: MessageListVersion;

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
    versions = new MessageListVersion(activity as unknown as MessageActivity, clock);
  });

  it('loads the accounts of all open dashboards at once, and again for a new one', async () => {
    expect(await Promise.all([versions.get('a'), versions.get('a')])).toEqual(['a1', 'a1']);
    expect(await versions.get('b')).toBe('b2');
    expect(await Promise.all([versions.get('a'), versions.get('b')])).toEqual(['a2', 'b2']);
    const since = new Date('2026-11-15T12:00:00Z');
    expect(loads).toEqual([
      { accountIds: ['a'], since },
      { accountIds: ['a', 'b'], since },
    ]);
  });

  it('loads again after a failure', async () => {
    fails = true;
    await expect(versions.get('a')).rejects.toThrow('No database');
    fails = false;
    expect(await versions.get('a')).toBe('a2');
  });
});
