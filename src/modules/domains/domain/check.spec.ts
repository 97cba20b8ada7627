import { describe, expect, it } from '@jest/globals';

import { afterFinding, type Check, found, missing, nextCheckAt, unknown } from './check.js';

const HOUR_MS = 3_600_000;
const START = new Date('2027-01-04T12:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * HOUR_MS);

const check = (status: Check['status'], missingSince: Date | null): Check => ({
  ...{ status, missingSince },
  checkedAt: null,
  detail: null,
});

describe('What a finding makes of a check', () => {
  const lost = missing('TXT is missing');

  it.each([
    ['pending', START],
    ['verified', START],
    ['failed', START],
  ] as const)('%s is verified once it is found', (status, since) => {
    expect(afterFinding(check(status, since), found(), hours(1))).toEqual({
      ...{ status: 'verified', checkedAt: hours(1) },
      ...{ detail: null, missingSince: null },
    });
  });

  it.each([
    ['pending', START, 71.9, 'pending'],
    ['pending', START, 72, 'failed'],
    ['verified', null, 500, 'verified'],
    ['verified', START, 22.9, 'verified'],
    ['verified', START, 23, 'failed'],
    ['failed', START, 500, 'failed'],
  ] as const)('%s, missed since %j, is after %d hours %s', (status, since, after, expected) => {
    expect(afterFinding(check(status, since), lost, hours(after))).toEqual({
      ...{ status: expected, checkedAt: hours(after) },
      ...{ detail: 'TXT is missing', missingSince: since ?? hours(after) },
    });
  });

  it.each(['pending', 'verified', 'failed'] as const)('%s stays where there is no answer', (status) => {
    expect(afterFinding(check(status, START), unknown('time-out'), hours(500))).toEqual({
      ...{ status, checkedAt: hours(500) },
      ...{ detail: 'time-out', missingSince: START },
    });
  });
});

describe('The next check of a domain', () => {
  const verified = check('verified', null);
  const next =
    (...checks: Check[]) =>
    (now: Date) =>
      (nextCheckAt(checks, now).getTime() - now.getTime()) / 60_000;

  it.each([
    ['pending for less than 6 hours', [check('pending', START), verified], 5.9, 5],
    ['pending for 6 hours', [check('pending', START), verified], 6, 60],
    ['pending and failed', [check('pending', START), check('failed', START)], 80, 60],
    ['verified', [verified, verified], 80, 1_440],
    ['failed', [verified, check('failed', START)], 80, 1_440],
    ['verified and just missed', [verified, check('verified', START)], 0, 1_440],
    ['verified and missed 20 hours ago', [verified, check('verified', START)], 20, 240],
    ['verified and missed 25 hours ago', [verified, check('verified', START)], 25, 1_440],
  ])('where it is %s', (_, checks, at, minutes) => {
    expect(next(...checks)(hours(at))).toBe(minutes);
  });
});
