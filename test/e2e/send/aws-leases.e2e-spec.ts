import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import { PublishCommand } from '@aws-sdk/client-sns';
import { HttpRequest } from '@smithy/core/protocols';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { AFTER_SIGNING, confirmFirst, SnsClients } from '../../../src/platform/aws/aws-clients.js';
import { checkWhenWritten, UndiciHandler } from '../../../src/platform/aws/undici-handler.js';
import { LeaseEndedError } from '../../../src/shared/submission-check.js';
import { selfSignedCertificate } from '../../support/fake-aws/certificate.js';
import { waitFor } from '../../support/wait-for.js';

const ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' } };
const ACCEPTED = '<PublishResponse><PublishResult><MessageId>m1</MessageId></PublishResult></PublishResponse>';
const TIMEOUTS = { connectTimeoutMs: 5_000, answerTimeoutMs: 60_000 };

const urlOf = (server: { address(): unknown }) => `//127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Its lease ends right after it was confirmed, as if the process had been paused. */
const checkOf = (isHeld: boolean) => ({
  confirm: () => Promise.resolve(),
  isConfirmed: () => true,
  isHeld: () => isHeld,
});

const requestTo = (server: { address(): unknown }, body: unknown, protocol = 'http:', hostname = '127.0.0.1') =>
  new HttpRequest({
    ...{ method: 'POST', protocol, hostname, path: '/', body },
    port: (server.address() as AddressInfo).port,
    headers: { host: 'localhost', ...(typeof body === 'object' && { 'content-length': '15' }) },
  });

describe('A message whose lease ends before its request is written', () => {
  let server: Server;
  let received: number;
  let clients: SnsClients;

  beforeEach(async () => {
    received = 0;
    server = createServer((incoming, response) => {
      received += 1;
      incoming.resume().on('end', () => response.end(ACCEPTED));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    process.env.AWS_ENDPOINT_URL_SNS = `http:${urlOf(server)}`;
    clients = new SnsClients();
  });
  afterEach(() => {
    delete process.env.AWS_ENDPOINT_URL_SNS;
    clients.onApplicationShutdown();
    server.close();
    server.closeAllConnections();
  });

  const publish = (isHeld: boolean) => {
    const command = new PublishCommand({ PhoneNumber: '+14155550100', Message: 'Hello' });
    command.middlewareStack.add(confirmFirst(checkOf(isHeld)), AFTER_SIGNING);
    return clients.submit(ACCESS, (client) => client.send(command));
  };

  it('is not sent on a new connection', async () => {
    await expect(publish(false)).rejects.toBeInstanceOf(LeaseEndedError);
    expect(await publish(true)).toMatchObject({ MessageId: 'm1' });
    expect(received).toBe(1);
  });

  it('is not sent on a connection that was used before', async () => {
    await publish(true);
    await expect(publish(false)).rejects.toBeInstanceOf(LeaseEndedError);
    await publish(true);
    expect(received).toBe(2);
  });

  it('is not sent over TLS', async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
    const cert = selfSignedCertificate(keys, 'localhost', validity);
    const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
    let requests = 0;
    const secure = createTlsServer({ key, cert }, (_, response) => response.end(String(++requests)));
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const handler = new UndiciHandler({ connections: 1, ...TIMEOUTS, tls: { ca: cert, servername: 'localhost' } });
    const post = async (isHeld: boolean) => {
      const sent = requestTo(secure, 'Hello', 'https:');
      checkWhenWritten(sent, checkOf(isHeld));
      await handler.handle(sent);
    };
    await expect(post(false)).rejects.toBeInstanceOf(LeaseEndedError);
    await post(true);
    await expect(post(false)).rejects.toBeInstanceOf(LeaseEndedError);
    expect(requests).toBe(1);
    handler.destroy();
    secure.close();
  });

  it('is refused like any other if the provider cannot be reached', async () => {
    server.close();
    await once(server, 'close');
    await expect(publish(true)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  describe('after it was passed on', () => {
    let handler: UndiciHandler;
    let isHeld: boolean;
    const check = { ...checkOf(true), isHeld: () => isHeld };
    const open = (tls: ConnectionOptions = {}) => (handler = new UndiciHandler({ connections: 1, ...TIMEOUTS, tls }));
    const submit = (body: unknown, hostname?: string) => {
      const message = requestTo(server, body, 'http:', hostname);
      checkWhenWritten(message, check);
      return handler.handle(message);
    };

    beforeEach(() => {
      isHeld = true;
    });
    afterEach(() => {
      handler.destroy();
    });

    it('is not sent if it ends while the connection is opened', async () => {
      let resolve: (() => void) | undefined;
      const lookup: LookupFunction = (_host, _options, callback) => {
        resolve = () => {
          callback(null, [{ address: '127.0.0.1', family: 4 }]);
        };
      };
      open({ lookup });
      const sending = submit('Hello', 'sns.example.com');
      sending.catch(() => undefined);
      await waitFor('the connection', () => resolve !== undefined);
      isHeld = false;
      resolve?.();
      await expect(sending).rejects.toBeInstanceOf(LeaseEndedError);
      expect(received).toBe(0);
    });

    it('is not sent if it ends while the message waits for a connection', async () => {
      open();
      let answer: (() => void) | undefined;
      server.removeAllListeners('request').on('request', (_incoming, response) => {
        received += 1;
        answer = () => response.end(ACCEPTED);
      });
      const first = handler.handle(requestTo(server, 'Hello'));
      await waitFor('the first request', () => answer !== undefined);
      const second = submit('Hello');
      second.catch(() => undefined);
      isHeld = false;
      answer?.();
      expect((await first).response.statusCode).toBe(200);
      await expect(second).rejects.toBeInstanceOf(LeaseEndedError);
      expect(received).toBe(1);
    });

    it('is not sent to the end if it ends between two pieces of a large mail', async () => {
      open();
      const bodies: string[] = [];
      let isBroken = false;
      server.removeAllListeners('request').on('request', (incoming) => {
        incoming.on('data', (bytes: Buffer) => bodies.push(bytes.toString()));
        incoming.on('error', () => (isBroken = true));
      });
      const pieces = function* () {
        yield 'first';
        yield 'other';
        isHeld = false;
        yield 'third';
      };
      await expect(submit({ [Symbol.iterator]: pieces })).rejects.toBeInstanceOf(LeaseEndedError);
      await waitFor('the end of the connection', () => isBroken);
      expect(bodies.join('')).toBe('firstother'.slice(0, bodies.join('').length));
    });
  });
});
