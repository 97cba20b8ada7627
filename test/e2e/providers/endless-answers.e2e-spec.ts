import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Config } from '../../../src/config/config.js';
import { SesClients, SnsClients } from '../../../src/platform/aws/aws-clients.js';
import { SesEmailProvider } from '../../../src/providers/ses/ses-email-provider.js';
import { SesRate } from '../../../src/providers/ses/ses-rate.js';
import { SesTracking } from '../../../src/providers/ses/ses-tracking.js';
import { SnsAccount } from '../../../src/providers/sns/sns-account.js';
import { SnsSmsProvider } from '../../../src/providers/sns/sns-sms-provider.js';
import { TwilioApi } from '../../../src/providers/twilio/twilio-api.js';
import { TwilioSmsProvider } from '../../../src/providers/twilio/twilio-sms-provider.js';
import { UnknownOutcomeError } from '../../../src/shared/delivery-error.js';
import { EMAIL, portOf, SECRETS, SMS } from '../../support/provider-rig-parts.js';
import { waitFor } from '../../support/wait-for.js';

const CHUNK = Buffer.alloc(65_536, ' ');
/** More than what is read before the limit and what the buffers of the sockets hold. */
const BUFFERED_BYTES = 33_554_432;
const ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'AKIASHOP', secretAccessKey: 'secret' } };
const CHECK = { confirm: () => Promise.resolve(), isConfirmed: () => true, isHeld: () => true };
const SETTINGS_AT = new Date(0);
const TOO_LARGE = /The answer is too large/;

describe('A provider whose answer does not end', () => {
  let server: Server;
  let url: string;
  let open: number;
  let mostSent: number;
  let stop: () => unknown;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const fill = () => {
        while (!response.destroyed && response.write(CHUNK));
      };
      response.on('drain', fill);
      fill();
    });
    server.on('connection', (socket) => {
      open += 1;
      socket.on('error', () => undefined); // the client is expected to close the connection
      socket.once('close', () => {
        open -= 1;
        mostSent = Math.max(mostSent, socket.bytesWritten);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${portOf(server)}`;
    process.env.AWS_ENDPOINT_URL_SESV2 = url;
    process.env.AWS_ENDPOINT_URL_SNS = url;
  });
  afterAll(() => {
    delete process.env.AWS_ENDPOINT_URL_SESV2;
    delete process.env.AWS_ENDPOINT_URL_SNS;
    server.close();
  });
  beforeEach(() => {
    open = 0;
    mostSent = 0;
  });
  afterEach(async () => {
    await waitFor('the connections to be closed', () => open === 0);
    expect(mostSent).toBeLessThan(BUFFERED_BYTES);
    await stop();
  });

  const snsProvider = () => {
    const clients = new SnsClients();
    stop = () => {
      clients.onApplicationShutdown();
    };
    return new SnsSmsProvider(clients, new SnsAccount(clients), SECRETS);
  };
  const SNS = { kind: 'sns', access: ACCESS, senderId: null, originationNumber: null, maxSendRate: 1 } as const;

  it('may have sent an email: SES', async () => {
    const clients = new SesClients();
    stop = () => {
      clients.onApplicationShutdown();
    };
    const provider = new SesEmailProvider(clients, new SesTracking(clients), new SesRate(clients), SECRETS);
    const connection = { kind: 'ses', access: ACCESS, configurationSet: null, tracking: 'off' } as const;
    const sent = provider.sendEmail(EMAIL, { ...connection, settingsAt: SETTINGS_AT }, CHECK);
    await expect(sent).rejects.toThrow(UnknownOutcomeError);
    await expect(sent).rejects.toThrow(TOO_LARGE);
  });

  it('may have sent an SMS: SNS', async () => {
    const sent = snsProvider().sendSms(SMS, { ...SNS, settingsAt: SETTINGS_AT }, CHECK);
    await expect(sent).rejects.toThrow(UnknownOutcomeError);
    await expect(sent).rejects.toThrow(TOO_LARGE);
  });

  it('may have sent an SMS: Twilio', async () => {
    const config = { twilioApiUrl: url, baseUrl: 'https://mail.example.com' } as Config;
    const api = new TwilioApi(config);
    stop = () => api.onApplicationShutdown();
    const connection = { kind: 'twilio', accountSid: 'AC1', authToken: 'token', originationNumber: null } as const;
    const provider = new TwilioSmsProvider(api, SECRETS, config);
    const sent = provider.sendSms(SMS, { ...connection, maxSendRate: 1, settingsAt: SETTINGS_AT }, CHECK);
    await expect(sent).rejects.toThrow(UnknownOutcomeError);
    await expect(sent).rejects.toThrow(TOO_LARGE);
  });

  it('is asked later for the numbers that have opted out', async () => {
    const list = snsProvider().optOutsOf({ ...SNS, settingsAt: SETTINGS_AT });
    await expect(list.listPage(null)).rejects.toMatchObject({ message: 'The answer is too large', kind: 'later' });
  });
});
