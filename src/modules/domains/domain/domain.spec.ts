import { describe, expect, it } from '@jest/globals';

import { found, missing, unknown } from './check.js';
import type { DnsRecord } from './dns-record.js';
import { Domain } from './domain.js';

const START = new Date('2027-01-04T12:00:00Z');
const minutes = (count: number) => new Date(START.getTime() + count * 60_000);
const record = (value: string): DnsRecord => ({ type: 'TXT', name: 'example.com', value, purpose: 'spf' });
const all = (result: ReturnType<typeof found>) => ({ dkim: result, spf: result, mailFrom: result });

describe('A domain', () => {
  const domain = () => {
    const made = Domain.pending('c00000000000000000abcdefg', 'a', 'example.com', 'smtp', START);
    made.setUp('smtp', { records: [record('1')], dkimKey: null, createdIdentity: false }, START);
    return made;
  };

  it('is pending at first, verified when all checks are, and failed when one is', () => {
    const made = domain();
    expect(made.status).toBe('pending');
    made.record(
      { records: [record('1')], results: all(found()), isRecreated: false, createdIdentity: false },
      minutes(1),
    );
    expect({ status: made.status, isVerified: made.isVerified }).toEqual({ status: 'verified', isVerified: true });
    for (const days of [1, 2]) {
      const results = { ...all(found()), spf: missing('It is missing') };
      made.record(
        { records: [record('1')], results, isRecreated: false, createdIdentity: false },
        minutes(days * 1_440 + 1),
      );
    }
    expect(made).toMatchObject({ status: 'failed', dkimStatus: 'verified', spfStatus: 'failed' });
  });

  it('ignores the result of an inspection that started before the recorded one', () => {
    const made = domain();
    made.record(
      { records: [record('2')], results: all(found()), isRecreated: false, createdIdentity: false },
      minutes(2),
    );
    const before = structuredClone({ ...made });
    made.record(
      { records: [record('1')], results: all(unknown('time-out')), isRecreated: false, createdIdentity: false },
      minutes(1),
    );
    expect({ ...made }).toEqual(before);
    made.record(
      { records: [record('1')], results: all(unknown('time-out')), isRecreated: false, createdIdentity: false },
      minutes(2),
    );
    expect(made.check('spf')).toMatchObject({ status: 'verified', detail: 'time-out' });
  });

  it('restarts its checks for another provider, and keeps its key', () => {
    const made = Domain.pending('c00000000000000000abcdefg', 'a', 'example.com', 'smtp', START);
    expect(made.hasRecordsFor('smtp')).toBe(false);
    const dkimKey = { selector: 's', publicKey: 'p', sealedKey: 'k' };
    made.setUp('smtp', { records: [record('1')], dkimKey, createdIdentity: false }, START);
    made.record(
      { records: [record('1')], results: all(found()), isRecreated: false, createdIdentity: false },
      minutes(1),
    );
    expect([made.hasRecordsFor('smtp'), made.hasRecordsFor('ses:eu-west-1:a')]).toEqual([true, false]);
    made.setUp('ses:eu-west-1:a', { records: [record('2')], dkimKey: null, createdIdentity: false }, minutes(9_999));
    expect(made).toMatchObject({ status: 'pending', providerKey: 'ses:eu-west-1:a', dkimKey, records: [record('2')] });
    expect(made.check('dkim')).toEqual({
      ...{ status: 'pending', checkedAt: null, detail: null },
      missingSince: minutes(9_999),
    });
    expect(made.nextCheckAt).toEqual(minutes(10_004));
  });
});
