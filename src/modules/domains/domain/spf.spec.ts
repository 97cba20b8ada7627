import { describe, expect, it } from '@jest/globals';

import { isSpf, permits, parseSpf } from './spf.js';

describe('An SPF record', () => {
  it.each([
    ['v=spf1', true],
    ['V=SPF1 -all', true],
    ['v=spf1include:a.example', false],
    ['v=spf10 -all', false],
    [' v=spf1 -all', false],
    ['spf2.0/pra', false],
  ])('%j is one: %s', (text, expected) => {
    expect(isSpf(text)).toBe(expected);
  });

  const lets = (text: string, mechanism: string) => permits(parseSpf(text, 'shop.example'), mechanism);

  it.each([
    ['v=spf1 include:sendgrid.net ~all', 'include:sendgrid.net'],
    ['v=spf1  mx   +INCLUDE:SendGrid.net. -all', 'include:sendgrid.net'],
    ['v=spf1 a:relay.example', 'a:relay.example'],
    ['v=spf1 a -all', 'a:shop.example'],
    ['v=spf1 ip4:192.0.2.7 -all', 'ip4:192.0.2.7'],
    ['v=spf1 ip4:192.0.2.0/24 -all', 'ip4:192.0.2.7'],
    ['v=spf1 ip6:2001:DB8:0::7 -all', 'ip6:2001:db8::7'],
    ['v=spf1 ip6:2001:db8::/32 -all', 'ip6:2001:db8::7'],
  ])('%j permits %s', (text, mechanism) => {
    expect(lets(text, mechanism)).toBe(true);
  });

  it.each([
    ['v=spf1 ~all', 'include:sendgrid.net'],
    ['v=spf1 ?include:sendgrid.net ~all', 'include:sendgrid.net'],
    ['v=spf1 ~all include:sendgrid.net', 'include:sendgrid.net'],
    ['v=spf1 include:sendgrid.net.example ~all', 'include:sendgrid.net'],
    ['v=spf1 exp=include:sendgrid.net ~all', 'include:sendgrid.net'],
    ['v=spf1 ip4:192.0.3.0/24 -all', 'ip4:192.0.2.7'],
    ['v=spf1 ip6:::ffff:192.0.2.0/120 -all', 'ip6:2001:db8::7'],
    ['v=spf1 ip4:192.0.2.0/x -all', 'ip4:192.0.2.7'],
    ['v=spf1 ip4:192.0.2.0/99 -all', 'ip4:192.0.2.7'],
  ])('%j does not permit %s', (text, mechanism) => {
    expect(lets(text, mechanism)).toBe(false);
  });

  it('lists included and redirected domains up to the end of evaluation', () => {
    const includes = (text: string) => parseSpf(text, 'shop.example').includes;
    expect(includes('v=spf1 include:A.example -include:b.example redirect=C.example.')).toEqual([
      'a.example',
      'c.example',
    ]);
    expect(includes('v=spf1 redirect=c.example include:a.example')).toEqual(['a.example', 'c.example']);
    expect(includes('v=spf1 include:a.example -all include:b.example redirect=c.example')).toEqual(['a.example']);
    expect(includes('v=spf1 include:%{i}._spf.example ~all')).toEqual([]);
  });
});
