import { describe, expect, it } from '@jest/globals';

import { checkSpf } from './check-spf.js';
import { checkDkim, checkMx, findDmarc, findRecordFault } from './dns-checks.js';
import { type DnsAnswer, DnsResolver } from './ports/dns-resolver.js';

/** Answers from a zone: `<type> <name>` to values, or to the error of a look-up. */
class FakeDns extends DnsResolver {
  readonly queries: string[] = [];

  constructor(private readonly zone: Record<string, string[] | string>) {
    super();
  }

  txt = (name: string) => this.query(`TXT ${name}`);
  mx = (name: string) => this.query(`MX ${name}`);
  cname = (name: string) => this.query(`CNAME ${name}`);

  private query(question: string): Promise<DnsAnswer> {
    this.queries.push(question);
    const answer = this.zone[question] ?? [];
    return Promise.resolve(typeof answer === 'string' ? { error: answer } : { values: answer });
  }
}

describe('checkSpf', () => {
  const check = (zone: Record<string, string[] | string>, mechanism: string | null = 'include:relay.example') =>
    checkSpf(new FakeDns(zone), 'shop.example', mechanism);

  it('finds the mechanism in the record', async () => {
    const zone = { 'TXT shop.example': ['unrelated', 'v=spf1 include:relay.example ~all'] };
    expect(await check(zone)).toEqual({ outcome: 'found', detail: null });
  });

  it('finds the mechanism in included and redirected records', async () => {
    const zone = {
      'TXT shop.example': ['v=spf1 include:a.example redirect=b.example'],
      'TXT b.example': ['v=spf1 include:c.example -all'],
      'TXT c.example': ['v=spf1 include:relay.example -all'],
    };
    expect(await check(zone)).toEqual({ outcome: 'found', detail: null });
  });

  it.each([
    ['no record', {}, 'TXT at shop.example is missing `v=spf1`: there is no SPF record'],
    [
      'two records',
      { 'TXT shop.example': ['v=spf1 -all', 'v=spf1 include:relay.example -all'] },
      'TXT at shop.example holds 2 records with `v=spf1`: join them to one (RFC 7208 §4.5)',
    ],
    [
      'a circle of includes',
      { 'TXT shop.example': ['v=spf1 include:a.example'], 'TXT a.example': ['v=spf1 include:shop.example'] },
      'TXT at shop.example is missing `include:relay.example`',
    ],
  ])('misses the mechanism in %s', async (_, zone, detail) => {
    expect(await check(zone as Record<string, string[]>)).toEqual({ outcome: 'missing', detail });
  });

  it('stops after ten look-ups', async () => {
    const chain = Array.from({ length: 20 }, (_, i) => [`TXT ${i}.example`, [`v=spf1 include:${i + 1}.example`]]);
    const dns = new FakeDns({ 'TXT shop.example': ['v=spf1 include:0.example'], ...Object.fromEntries(chain) });
    const result = await checkSpf(dns, 'shop.example', 'include:relay.example');
    expect(result).toMatchObject({ outcome: 'missing', detail: expect.stringContaining('more than 10 look-ups') });
    expect(dns.queries).toHaveLength(11);
  });

  it('is unknown if DNS does not answer for the record or one that it includes', async () => {
    expect(await check({ 'TXT shop.example': 'time-out' })).toEqual({
      ...{ outcome: 'unknown', detail: 'DNS did not answer: time-out (shop.example)' },
    });
    const zone = { 'TXT shop.example': ['v=spf1 include:a.example -all'], 'TXT a.example': 'SERVFAIL' };
    expect(await check(zone)).toEqual({ outcome: 'unknown', detail: 'DNS did not answer: SERVFAIL (a.example)' });
  });

  it('needs only a record if there is no mechanism', async () => {
    expect(await check({ 'TXT shop.example': ['v=spf1 -all'] }, null)).toMatchObject({ outcome: 'found' });
  });
});

describe('checkDkim', () => {
  const check = (answer: string[] | string) =>
    checkDkim(new FakeDns({ 'TXT s._domainkey.shop.example': answer }), 's._domainkey.shop.example', 'KEY');

  it.each([
    [['v=DKIM1; k=rsa; p=KEY'], 'found', null],
    [['unrelated', 'v=DKIM1; p=KEY'], 'found', null],
    [[], 'missing', 'TXT at s._domainkey.shop.example is missing'],
    [['v=DKIM1; p=OLD'], 'missing', /holds another key\. Publish the record as it is listed$/],
    ['time-out', 'unknown', 'DNS did not answer: time-out (s._domainkey.shop.example)'],
  ])('of %j is %s', async (answer, outcome, detail) => {
    const result = await check(answer);
    expect(result.outcome).toBe(outcome);
    if (detail instanceof RegExp) expect(result.detail).toMatch(detail);
    else expect(result.detail).toBe(detail);
  });
});

describe('checkMx', () => {
  it.each([
    [['mx.example.net'], 'found'],
    [[], 'missing'],
    [[''], 'missing'],
    ['time-out', 'unknown'],
  ])('of %j is %s', async (answer, outcome) => {
    expect((await checkMx(new FakeDns({ 'MX shop.example': answer }), 'shop.example')).outcome).toBe(outcome);
  });
});

describe('findRecordFault', () => {
  const record = (name: string) => ({ type: 'CNAME', name, value: `${name}.ses.example`, purpose: 'dkim' }) as const;
  const find = (zone: Record<string, string[] | string>) =>
    findRecordFault(new FakeDns(zone), [record('a.example'), record('b.example')], 'dkim');
  const published = { 'CNAME a.example': ['a.example.ses.example'], 'CNAME b.example': ['B.example.ses.example.'] };

  it('finds none if all records are published, in any spelling', async () => {
    expect(await find(published)).toBeNull();
  });

  it('ignores records of other purposes', async () => {
    const dns = new FakeDns({});
    expect(await findRecordFault(dns, [record('a.example')], 'mail_from')).toBeNull();
    expect(dns.queries).toEqual([]);
  });

  it.each([
    [[], 'CNAME at b.example is missing: publish `b.example.ses.example`'],
    [['x.example'], 'CNAME at b.example is `x.example` instead of `b.example.ses.example`'],
    [['b.example.ses.example', 'x'], 'CNAME at b.example has 2 values: leave only `b.example.ses.example`'],
  ])('reports the values %j', async (values, detail) => {
    expect(await find({ ...published, 'CNAME b.example': values })).toEqual({ isCertain: true, detail });
  });

  it('reports a certain fault before a look-up without an answer', async () => {
    const zone = { 'CNAME a.example': 'time-out' };
    expect(await find(zone)).toMatchObject({ isCertain: true });
    expect(await find({ ...published, ...zone })).toEqual({
      ...{ isCertain: false, detail: 'DNS did not answer: time-out (a.example)' },
    });
  });
});

describe('findDmarc', () => {
  const find = (zone: Record<string, string[] | string>) => findDmarc(new FakeDns(zone), 'mail.shop.com');

  it('prefers the record of the domain to that of its organisation', async () => {
    const organisation = { 'TXT _dmarc.shop.com': ['v=DMARC1; p=reject'] };
    const own = { 'TXT _dmarc.mail.shop.com': ['v=DMARC1; p=none'] };
    expect(await find({ ...own, ...organisation })).toEqual({ status: 'found', policy: 'none', detail: null });
    const detail = 'It is inherited from _dmarc.shop.com';
    expect(await find(organisation)).toEqual({ status: 'found', policy: 'reject', detail });
  });

  it('says what to publish where there is none, and does not know without an answer', async () => {
    const detail = 'TXT at _dmarc.mail.shop.com is missing: publish `v=DMARC1; p=none` or a stricter policy';
    expect(await find({})).toEqual({ status: 'missing', policy: null, detail });
    expect(await find({ 'TXT _dmarc.shop.com': 'SERVFAIL' })).toEqual({
      ...{ status: 'unknown', policy: null, detail: 'DNS did not answer: SERVFAIL (_dmarc.shop.com)' },
    });
  });
});
