import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';

import type { Config } from '../../../config/config.js';
import { ClientAddress } from './client-address.js';

const addressOf = (trustedProxies: Config['trustedProxies'], peer: string, forwarded?: string) =>
  new ClientAddress({ trustedProxies } as Config).find({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as Request);

describe('ClientAddress', () => {
  it('is the first hop if the peer is a trusted proxy', () => {
    expect(addressOf(['10.0.0.0/8'], '10.1.2.3', '192.0.2.1, 10.9.9.9')).toBe('192.0.2.1');
    expect(addressOf('any', '198.51.100.1', ' [2001:db8::1]:4711 ')).toBe('2001:db8::1');
  });

  it('is the peer if it is not trusted or forwards nothing', () => {
    expect(addressOf(['10.0.0.0/8'], '198.51.100.1', '192.0.2.1')).toBe('198.51.100.1');
    expect(addressOf('any', '198.51.100.1')).toBe('198.51.100.1');
  });

  it('returns a first hop that is not an address unchanged', () => {
    expect(addressOf('any', '198.51.100.1', 'unknown, 192.0.2.1')).toBe('unknown');
  });
});
