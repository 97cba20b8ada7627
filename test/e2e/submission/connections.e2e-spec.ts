import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { RequestsInFlight } from '../../../src/platform/metrics/requests-in-flight.js';
import { SENDER } from '../../support/relay-fixture.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const MAIL = `From: ${SENDER}\r\nTo: ada@example.org\r\nSubject: Hi\r\n\r\nHello`;
const PROXY = '127.0.0.77';

describe('The connections of SMTP submission', () => {
  let fixture: SubmissionFixture;
  const clients: SmtpClient[] = [];

  beforeAll(async () => {
    fixture = await SubmissionFixture.start({
      SMTP_MAX_CONNECTIONS: '60',
      TRUSTED_PROXIES: `${PROXY}, 127.0.1.0/24, 127.0.0.1`,
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await waitFor('all connections to end', async () => (await open()) === 0);
  });
  afterAll(() => fixture.stop());

  const open = async () => {
    const { text } = await fixture.service.request('get', '/metrics').expect(200);
    return Number(/^smtp_connections (\d+)/m.exec(text)![1]);
  };
  const connect = async (localAddress: string, secure = false) => {
    const port = secure ? fixture.tlsPort : fixture.port;
    const client = await SmtpClient.open(port, { localAddress, ...(secure && { secure: {} }) });
    clients.push(client);
    return client;
  };

  it('are at most 20 of an address', async () => {
    for (let i = 0; i < 20; i++) expect((await (await connect('127.0.0.2')).reply()).code).toBe(220);
    const refused = await connect('127.0.0.2');
    expect((await refused.reply()).code).toBe(421);
    await refused.untilClosed();
    expect((await (await connect('127.0.0.3')).reply()).code).toBe(220);
    clients.shift()!.close();
    await waitFor('room for another one', async () => (await (await connect('127.0.0.2')).reply()).code === 220);
  });

  it('are at most as many as configured', async () => {
    for (let i = 0; i < 60; i++) expect((await (await connect(`127.0.0.${10 + (i % 6)}`)).reply()).code).toBe(220);
    const refused = await connect('127.0.0.20');
    expect((await refused.reply()).code).toBe(421);
  });

  it('have the address that a listed proxy reports', async () => {
    const { account, key } = await fixture.open();
    await account
      .asAdmin('patch', `/api/api-keys/${key.id}`)
      .send({ ipAllowlist: ['192.0.2.7'] })
      .expect(200);
    const login = async (header: string, localAddress: string, secure = false) => {
      const client = await connect(localAddress);
      client.write(header);
      if (secure) await client.upgrade();
      await client.reply();
      await client.expect(250, 'EHLO client.example');
      return client.send(`AUTH PLAIN ${Buffer.from(`\0u\0${key.secret}`).toString('base64')}`);
    };
    const header = 'PROXY TCP4 192.0.2.7 127.0.0.1 4711 587\r\n';
    expect((await login(header, PROXY)).code).toBe(235);
    expect((await login(header, '127.0.1.9')).code).toBe(235);
    expect((await login('PROXY TCP4 192.0.2.8 127.0.0.1 4711 587\r\n', PROXY)).code).toBe(535);
    // Its own connections.
    expect((await login('PROXY UNKNOWN\r\n', PROXY)).code).toBe(535);
  });

  it('of a listed proxy need a header, because clients behind it could forge one; localhost may be a client', async () => {
    const silent = await connect(PROXY);
    expect(await silent.reply()).toEqual({ code: 421, text: 'The proxy sends no PROXY header' });
    await silent.untilClosed();
    const talking = await connect(PROXY);
    talking.write('EHLO client.example\r\n');
    expect((await talking.reply()).code).toBe(421);
    const local = await connect('127.0.0.1');
    expect((await local.reply()).code).toBe(220);
  });

  it('count for the address behind a proxy, an IPv6 address with its /64', async () => {
    const through = async (address: string) => {
      const client = await connect(PROXY);
      client.write(`PROXY TCP6 ${address} ::1 4711 587\r\n`);
      return (await client.reply()).code;
    };
    for (let i = 0; i < 20; i++) expect(await through(`2001:db8::${i + 1}`)).toBe(220);
    expect(await through('2001:db8::ffff')).toBe(421);
    expect(await through('2001:db8:0:1::1')).toBe(220);
  });

  it('end at once for a malformed header of a proxy, and for one of a peer that is no proxy', async () => {
    for (const header of ['PROXY TCP4 999.1.1.1 1.1.1.1 1 2\r\n', 'PROXY nonsense\r\n', `PROXY ${'x'.repeat(200)}`]) {
      const client = await connect(PROXY);
      client.write(header);
      await client.untilClosed();
      expect(client.unread).toBe('');
    }
    const stranger = await connect('127.0.0.78');
    stranger.write('PROXY TCP4 192.0.2.7 127.0.0.1 4711 587\r\n');
    expect((await stranger.reply()).code).toBe(421);
  });

  it('may submit in parallel, and never more than the daily limit', async () => {
    const limited = await fixture.open({ dailySendCap: 30 });
    const sessions = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        SmtpClient.login(fixture.port, limited.key.secret, { localAddress: `127.0.0.${30 + (i % 10)}` }),
      ),
    );
    clients.push(...sessions);
    const replies = await Promise.all(sessions.map((session) => session.submit(SENDER, ['ada@example.org'], MAIL)));
    const codes = replies.map(({ code }) => code);
    expect([codes.filter((code) => code === 250).length, codes.filter((code) => code === 452).length]).toEqual([
      30, 20,
    ]);
    const rows = await fixture.service.query('SELECT FROM message_logs WHERE account_id = $1', [limited.account.id]);
    expect(rows).toHaveLength(30);
  });

  it('get 421 for DATA while the service is overloaded', async () => {
    const client = await SmtpClient.login(fixture.port, fixture.secret);
    clients.push(client);
    const inFlight = fixture.service.app.get(RequestsInFlight, { strict: false });
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    await client.expect(250, 'RCPT TO:<ada@example.org>');
    for (let i = 0; i <= inFlight.limit; i++) inFlight.begin();
    try {
      expect(await client.send('DATA')).toEqual({ code: 421, text: 'The service is overloaded' });
      await client.untilClosed();
    } finally {
      for (let i = 0; i <= inFlight.limit; i++) inFlight.end();
    }
  });
});
