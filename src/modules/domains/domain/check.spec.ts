import { describe, expect, it } from '@jest/globals';

import { applyResult, type Check, found, missing, nextCheckAt, unknown } from './check.js';

const HOUR_MS = 3_600_000;
const START = new Date('2027-01-04T12:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * HOUR_MS);

const check = (status: Check['status'], missingSince: Date | null): Check => ({
  ...{ status, missingSince },
  checkedAt: null,
  detail: null,
});

const VERIFIED = { isDomainVerified: true };

describe('applyResult', () => {
  const lost = missing('TXT is missing');

  it.each([
    ['pending', START],
    ['verified', START],
    ['failed', START],
  ] as const)('makes a %s check verified when its record is found', (status, since) => {
    expect(applyResult(check(status, since), found(), hours(1), VERIFIED)).toEqual({
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
  ] as const)(
    'makes a %s check whose record is missing since %j, after %d hours, %s',
    (status, since, after, expected) => {
      expect(applyResult(check(status, since), lost, hours(after), VERIFIED)).toEqual({
        ...{ status: expected, checkedAt: hours(after) },
        ...{ detail: 'TXT is missing', missingSince: since ?? hours(after) },
      });
    },
  );

  it('makes a verified check pending at once if its record is missing before the domain is verified', () => {
    expect(applyResult(check('verified', null), lost, hours(1), { isDomainVerified: false })).toEqual({
      ...{ status: 'pending', checkedAt: hours(1) },
      ...{ detail: 'TXT is missing', missingSince: hours(1) },
    });
  });

  it.each(['pending', 'verified', 'failed'] as const)('keeps a check %s if there is no answer', (status) => {
    expect(applyResult(check(status, START), unknown('time-out'), hours(500), VERIFIED)).toEqual({
      ...{ status, checkedAt: hours(500) },
      ...{ detail: 'time-out', missingSince: START },
    });
  });
});

describe('nextCheckAt', () => {
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
    ['verified but missing just now', [verified, check('verified', START)], 0, 1_440],
    ['verified but missing 20 hours ago', [verified, check('verified', START)], 20, 240],
    ['verified but missing 25 hours ago', [verified, check('verified', START)], 25, 1_440],
  ])('of a domain that is %s', (_, checks, at, minutes) => {
    expect(next(...checks)(hours(at))).toBe(minutes);
  });
});
