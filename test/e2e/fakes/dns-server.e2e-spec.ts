import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DnsServer } from '../../support/dns-server.js';
import { WAIT_LIMIT_MS } from '../../support/wait-for.js';

describe('The DNS server of the tests', () => {
  let dns: DnsServer;
  let resolver: Resolver;

  beforeAll(async () => {
    dns = await DnsServer.start();
  });
  beforeEach(() => {
    dns.reset();
    resolver = askingWithin(WAIT_LIMIT_MS);
  });
  afterAll(() => dns.stop());

  function askingWithin(timeoutMs: number): Resolver {
    const asking = new Resolver({ timeout: timeoutMs, tries: 1 });
    asking.setServers([dns.address]);
    return asking;
  }

  it('answers over TCP if the response is too long for UDP', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `${n} `.padEnd(200, 'x'));
    dns.set('many.example.com', 'TXT', texts);
    expect((await resolver.resolveTxt('many.example.com')).flat()).toEqual(texts);
    expect(dns.queries()).toEqual([
      { name: 'many.example.com', type: 'TXT', transport: 'udp' },
      { name: 'many.example.com', type: 'TXT', transport: 'tcp' },
    ]);
  });

  it('follows aliases', async () => {
    dns.set('alias.example.com', 'CNAME', ['second.example.com']);
    dns.set('second.example.com', 'CNAME', ['real.example.net']);
    dns.set('real.example.net', 'TXT', ['found']);
    expect(await resolver.resolveTxt('alias.example.com')).toEqual([['found']]);
  });

  it('knows names in any case, with or without a dot at the end, and answers in the case that was asked', async () => {
    dns.set('Mixed.Example.com.', 'A', ['192.0.2.1']);
    expect(await resolver.resolve4('mixed.example.com')).toEqual(['192.0.2.1']);

    const name = Buffer.from('\x05mIXED\x07example\x03COM\0', 'latin1');
    const typeAndClass = Buffer.from([0, 1, 0, 1]);
    const client = createSocket('udp4');
    client.send(
      Buffer.concat([Buffer.from('123401000001000000000000', 'hex'), name, typeAndClass]),
      Number(dns.address.split(':')[1]),
      '127.0.0.1',
    );
    const [reply] = (await once(client, 'message')) as [Buffer];
    client.close();
    const record = Buffer.concat([name, typeAndClass, Buffer.from([0, 0, 0, 0, 0, 4, 192, 0, 2, 1])]);
    expect(reply.subarray(12)).toEqual(Buffer.concat([name, typeAndClass, record]));
    expect(dns.queries()[1]!.name).toBe('mIXED.example.COM');
  });

  it('distinguishes a name without records of a type from a name that does not exist', async () => {
    dns.set('a.b.example.com', 'TXT', ['found']);
    await expect(resolver.resolveMx('a.b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve6('a.b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('c.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('matches a wildcard with the names below it that do not exist', async () => {
    dns.set('*.example.com', 'TXT', ['any']);
    dns.set('own.example.com', 'A', ['192.0.2.1']);
    expect(await resolver.resolveTxt('x.example.com')).toEqual([['any']]);
    expect(await resolver.resolveTxt('x.y.example.com')).toEqual([['any']]);
    await expect(resolver.resolveTxt('own.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('x.own.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('fails for a name as configured, until the failure is removed', async () => {
    dns.set('example.com', 'TXT', ['found']);
    const codes = { servfail: 'ESERVFAIL', refused: 'EREFUSED', nxdomain: 'ENOTFOUND' } as const;
    for (const [fault, code] of Object.entries(codes)) {
      dns.fail('Example.com', fault as keyof typeof codes);
      await expect(resolver.resolveTxt('example.com')).rejects.toMatchObject({ code });
    }
    dns.fail('example.com', 'timeout');
    await expect(askingWithin(200).resolveTxt('example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    dns.fail('example.com', undefined);
    expect(await resolver.resolveTxt('example.com')).toEqual([['found']]);
  });
});
