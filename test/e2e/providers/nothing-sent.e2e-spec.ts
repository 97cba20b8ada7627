import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SesClients, SnsClients } from '../../../src/platform/aws/aws-clients.js';
import { SesEmailProvider } from '../../../src/providers/ses/ses-email-provider.js';
import { SesRate } from '../../../src/providers/ses/ses-rate.js';
import { SesTracking } from '../../../src/providers/ses/ses-tracking.js';
import { SnsAccount } from '../../../src/providers/sns/sns-account.js';
import { SnsSmsProvider } from '../../../src/providers/sns/sns-sms-provider.js';
import { selfSignedCertificate } from '../../support/fake-aws/certificate.js';
import { closedPort, EMAIL, portOf, SECRETS, settingsWith, SMS } from '../../support/provider-rig-parts.js';

const VARIABLES = { ses: 'AWS_ENDPOINT_URL_SESV2', sns: 'AWS_ENDPOINT_URL_SNS' };
const SES = {
  ...{ region: 'eu-west-1', configurationSet: null, topicArn: null, accessKeyId: 'AKIASHOP' },
  sealedSecretAccessKey: SECRETS.seal('secret'),
};
const SETTINGS = settingsWith({
  ses: SES,
  sms: {
    ...{ enabled: true, originationNumber: '+12065550100', twoWay: false, maxSendRate: 5 },
    ...{ region: 'us-east-1' },
  },
});
const CHECK = { confirm: () => Promise.resolve(), isConfirmed: () => true, isHeld: () => true };

/** Submits a message through clients of its own, which read the endpoint when they are made. */
const SUBMIT = {
  ses: () => {
    const clients = new SesClients();
    const provider = new SesEmailProvider(clients, new SesTracking(clients), new SesRate(clients), SECRETS);
    return provider.sendEmail(EMAIL, provider.connect(SETTINGS)!, CHECK).finally(() => {
      clients.onApplicationShutdown();
    });
  },
  sns: () => {
    const clients = new SnsClients();
    const provider = new SnsSmsProvider(clients, new SnsAccount(clients), SECRETS);
    return provider.sendSms(SMS, provider.connect(SETTINGS)!, CHECK).finally(() => {
      clients.onApplicationShutdown();
    });
  },
};

describe.each(['ses', 'sns'] as const)('A message to %s', (name) => {
  const open: Server[] = [];
  const sockets: Socket[] = [];
  let requests = 0;

  const listen = async (server: Server): Promise<number> => {
    open.push(server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => undefined))));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return portOf(server);
  };
  const errorAt = (url: string): Promise<Error> => {
    process.env[VARIABLES[name]] = url;
    return SUBMIT[name]().then(
      () => Promise.reject(new Error('It was accepted')),
      (error: unknown) => error as Error,
    );
  };

  let ports: Record<'refused' | 'silent' | 'cut' | 'untrusted' | 'read', number>;

  beforeAll(async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
    const cert = selfSignedCertificate(keys, 'localhost', validity);
    const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const count = () => (requests += 1);
    ports = {
      refused: await closedPort(),
      silent: await listen(createServer()),
      cut: await listen(createServer((socket) => socket.once('data', () => socket.destroy()))),
      untrusted: await listen(createTlsServer({ key, cert }, count)),
      read: await listen(createServer((socket) => socket.once('data', () => count() && socket.destroy()))),
    };
  });
  afterAll(() => {
    Reflect.deleteProperty(process.env, VARIABLES[name]);
    for (const socket of sockets) socket.destroy();
    for (const server of open) server.close();
  });

  it.each([
    ['refuses the connection', 'refused', /ECONNREFUSED/],
    ['never answers the TLS handshake', 'silent', /./],
    ['ends the connection during the handshake', 'cut', /ECONNRESET/],
    ['has a certificate that is not trusted', 'untrusted', /SELF_SIGNED/],
  ] as const)('was not submitted if the host %s', async (_, port, reason) => {
    const { name: kind, message } = await errorAt(`https://127.0.0.1:${ports[port]}`);
    expect({ kind, message }).toEqual({
      ...{ kind: 'TransientDeliveryError', message: expect.stringMatching(/cannot be reached/) },
    });
    expect(message).toMatch(reason);
    expect(requests).toBe(0);
  });

  it('may have been submitted if the host ends the connection after it has read something', async () => {
    const { name: kind } = await errorAt(`http://127.0.0.1:${ports.read}`);
    expect({ kind, requests }).toEqual({ kind: 'UnknownOutcomeError', requests: 1 });
  });
});
