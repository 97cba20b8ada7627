import { describe, expect, it } from '@jest/globals';

import { type DnsRecord, hasValue, relativeName, relevantValues, zoneFile } from './dns-records';

const txt = (value: string, purpose: DnsRecord['purpose'] = 'dkim'): DnsRecord => ({
  type: 'TXT',
  name: 'a._domainkey.example.co.uk',
  value,
  purpose,
});

describe('The name of a record in a DNS panel', () => {
  it.each([
    ['example.co.uk', 'example.co.uk', '@'],
    ['a._domainkey.example.co.uk', 'example.co.uk', 'a._domainkey'],
    ['a._domainkey.mail.example.co.uk', 'example.co.uk', 'a._domainkey.mail'],
    ['mail.example.com', 'example.com', 'mail'],
    ['mail.notexample.com', 'example.com', 'mail.notexample.com'],
  ])('of %s in the zone %s is %s', (name, zone, relative) => {
    expect(relativeName(name, zone)).toBe(relative);
  });
});

describe('The zone file', () => {
  it('has full names, quoted texts and priorities', () => {
    const records: DnsRecord[] = [
      { type: 'TXT', name: 'example.com', value: 'v=spf1 include:"a\\b" ~all', purpose: 'spf' },
      { type: 'MX', name: 'mail.example.com', value: 'feedback.example.net', priority: 10, purpose: 'mail_from' },
      { type: 'CNAME', name: 'a._domainkey.example.com', value: 'a.dkim.example.net.', purpose: 'dkim' },
    ];
    expect(zoneFile(records)).toBe(
      'example.com.\t3600\tIN\tTXT\t"v=spf1 include:\\"a\\\\b\\" ~all"\n' +
        'mail.example.com.\t3600\tIN\tMX\t10 feedback.example.net.\n' +
        'a._domainkey.example.com.\t3600\tIN\tCNAME\ta.dkim.example.net.\n',
    );
  });

  it('splits texts that are longer than 255 bytes', () => {
    const value = `v=DKIM1; p=${'A'.repeat(400)}`;
    const strings = [...zoneFile([txt(value)]).matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '');
    expect(strings.map(({ length }) => length)).toEqual([255, 156]);
    expect(strings.join('')).toBe(value);
  });
});

describe('What DNS has', () => {
  it('is compared as receivers read it', () => {
    expect(hasValue(txt('v=DKIM1; k=rsa; p=A'), [' v=DKIM1;  k=rsa; p=A'])).toBe(true);
    expect(hasValue(txt('v=DKIM1; k=rsa; p=A'), ['v=DKIM1; k=rsa; p=a'])).toBe(false);
    expect(hasValue({ ...txt('Relay.example.net'), type: 'MX' }, ['relay.example.net.'])).toBe(true);
    expect(hasValue(txt('x'), [])).toBe(false);
  });

  it('leaves out texts that have nothing to do with SPF', () => {
    const values = ['google-site-verification=x', 'v=spf1 -all', 'v=spf10 -all'];
    expect(relevantValues(txt('v=spf1 ~all', 'spf'), values)).toEqual(['v=spf1 -all']);
    expect(relevantValues(txt('v=DKIM1; p=A'), values)).toEqual(values);
  });
});
