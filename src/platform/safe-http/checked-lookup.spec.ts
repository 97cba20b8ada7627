import type { LookupAddress, LookupOptions } from 'node:dns';

import { describe, expect, it } from '@jest/globals';

import { checkedLookup } from './checked-lookup.js';

const look = (addresses: string[], allowPrivate = false, options: LookupOptions = { all: true }) =>
  new Promise<string | LookupAddress[]>((resolve, reject) => {
    const check = checkedLookup(() => Promise.resolve(addresses), allowPrivate, 'ALLOW_IT=true');
    check('hooks.example.com', options, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
  });

describe('checkedLookup', () => {
  const both = ['8.8.8.8', '2606:4700:4700::1111'];

  it('returns public addresses in the requested form', async () => {
    expect(await look(both)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    expect(await look(both, false, {})).toBe('8.8.8.8');
    expect(await look(both, false, { family: 6 })).toBe('2606:4700:4700::1111');
    expect(await look(both, false, { family: 'IPv6' })).toBe('2606:4700:4700::1111');
  });

  it('refuses a name that has a private address among others', async () => {
    for (const bad of ['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254'])
      await expect(look([...both, bad])).rejects.toMatchObject({
        reason: 'refused_address',
        message: 'The host resolves to a private, loopback or otherwise reserved address, which needs ALLOW_IT=true',
      });
  });

  it('returns any address if private networks are allowed', async () => {
    expect(await look(['127.0.0.1'], true, {})).toBe('127.0.0.1');
  });

  it('fails for a name without an address of the family', async () => {
    await expect(look([])).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(look(['8.8.8.8'], false, { family: 6 })).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
