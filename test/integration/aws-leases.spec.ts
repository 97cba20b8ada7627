import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent, createServer as createTlsServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';

import { PublishCommand } from '@aws-sdk/client-sns';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { AFTER_SIGNING, confirmFirst, SnsClients } from '../../src/platform/aws/aws-clients.js';
import { checkingLeases, checkWhenWritten } from '../../src/platform/aws/checking-leases.js';
import { LeaseEndedError } from '../../src/shared/submission-check.js';
import { selfSignedCertificate } from '../support/fake-aws/certificate.js';

const ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' } };
const ACCEPTED = '<PublishResponse><PublishResult><MessageId>m1</MessageId></PublishResult></PublishResponse>';
const CONNECT_TIMEOUT_MS = 5_000;

const urlOf = (server: { address(): unknown }) => `//127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Its lease ends right after it was confirmed, as if the process had been paused. */
const checkOf = (isHeld: boolean) => ({
  confirm: () => Promise.resolve(),
  isConfirmed: () => true,
  isHeld: () => isHeld,
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
    const options = { keepAlive: true, rejectUnauthorized: false };
    const agent = checkingLeases(new Agent(options), 'secureConnect', CONNECT_TIMEOUT_MS);
    const post = async (isHeld: boolean) => {
      const headers = { host: 'localhost' };
      checkWhenWritten(headers, checkOf(isHeld));
      const sent = request(`https:${urlOf(secure)}`, { method: 'POST', agent, headers }).end('Hello');
      const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
      response.resume();
      await once(response, 'end');
    };
    await expect(post(false)).rejects.toBeInstanceOf(LeaseEndedError);
    await post(true);
    await expect(post(false)).rejects.toBeInstanceOf(LeaseEndedError);
    expect(requests).toBe(1);
    agent.destroy();
    secure.close();
  });

  it('is refused like any other if the provider cannot be reached', async () => {
    server.close();
    await once(server, 'close');
    await expect(publish(true)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
