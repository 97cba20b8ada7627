import { describe, expect, it } from '@jest/globals';

import { type CheckResults, found, missing, unknown } from './check.js';
import type { DnsRecord } from '../../../shared/dns-record.js';
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

  it.each([
    ['missing', missing('It is missing'), { dkimStatus: 'pending' }],
    ['without an answer', unknown('time-out'), { dkimStatus: 'pending' }],
  ])(
    'is not verified by records that never were there at the same time: one found before is %s',
    (_, then, expected) => {
      const made = domain();
      const inspect = (at: number, results: CheckResults) => {
        made.record({ records: [record('1')], results, isRecreated: false, createdIdentity: false }, minutes(at));
      };
      inspect(1, { ...all(missing('It is missing')), dkim: found() });
      expect(made).toMatchObject({ status: 'pending', dkimStatus: 'verified' });
      inspect(6, { ...all(found()), dkim: then });
      expect(made).toMatchObject({ status: 'pending', verifiedAt: null, ...expected, spfStatus: 'verified' });
      inspect(11, all(found()));
      expect(made).toMatchObject({ status: 'verified', verifiedAt: minutes(11) });
      inspect(16, { ...all(found()), dkim: then });
      expect(made.status).toBe('verified');
    },
  );

  it('has no grace period for other records after one has failed', () => {
    const made = domain();
    const inspect = (at: number, results: CheckResults) => {
      made.record({ records: [record('1')], results, isRecreated: false, createdIdentity: false }, minutes(at));
    };
    inspect(1, all(found()));
    for (const days of [1, 2]) inspect(days * 1_440 + 1, { ...all(found()), spf: missing('It is missing') });
    expect(made.status).toBe('failed');
    inspect(3 * 1_440, { ...all(found()), dkim: missing('It is missing') });
    expect(made.isVerified).toBe(false);
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
