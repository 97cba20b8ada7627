import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectToRelay, RefusedRelayError } from '../../../src/platform/smtp/connect-to-relay.js';
import type { SmtpRelay } from '../../../src/shared/smtp-relay.js';

describe('A connection to a relay', () => {
  let server: Server;
  let accepted = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      accepted += 1;
      socket.on('error', () => undefined);
      socket.resume();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  const relay = (fields: Partial<SmtpRelay>): SmtpRelay => ({
    host: 'relay.example.com',
    port: (server.address() as AddressInfo).port,
    secure: false,
    username: null,
    password: null,
    allowPrivateAddress: false,
    allowPlaintext: false,
    ...fields,
  });

  it.each([
    ['the only address is private', ['127.0.0.1']],
    ['one address of several is private', ['8.8.8.8', '127.0.0.1']],
    ['it carries a private IPv4 address', ['::ffff:127.0.0.1']],
  ])('is not opened where %s', async (_, addresses) => {
    const lookup = () => Promise.resolve(addresses);
    await expect(connectToRelay(relay({}), { timeoutMs: 5_000, lookup })).rejects.toBeInstanceOf(RefusedRelayError);
    expect(accepted).toBe(0);
  });

  it('goes to the address that was checked: a name that resolves otherwise the next time gains nothing', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    let asked = 0;
    const lookup = () => Promise.resolve(answers[asked++]!);
    await expect(connectToRelay(relay({}), { timeoutMs: 50, lookup })).rejects.toThrow();
    expect(asked).toBe(1);
    expect(accepted).toBe(0);
  });

  it('requires TLS for a password by the address that it goes to', async () => {
    const lookup = () => Promise.resolve(['127.0.0.1']);
    const withPassword = relay({ allowPrivateAddress: true, password: 'secret' });
    const { connection, requireTLS } = await connectToRelay(withPassword, { timeoutMs: 5_000, lookup });
    connection.destroy();
    expect(requireTLS).toBe(false);
  });

  it.each([
    [
      { host: '127.0.0.1', port: 1 },
      { code: 'ESOCKET', originalCode: 'ECONNREFUSED' },
    ],
    [{ host: 'no-such-host.invalid' }, { code: 'EDNS' }],
  ])('fails like one of nodemailer for %j', async (fields, error) => {
    const promise = connectToRelay(relay({ allowPrivateAddress: true, ...fields }), { timeoutMs: 10_000 });
    await expect(promise).rejects.toMatchObject({ ...error, command: 'CONN' });
  });
});
