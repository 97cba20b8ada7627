import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { freePort } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';
import { plain, SmtpClient } from '../support/smtp-client.js';
import { idIn } from '../support/submission-fixture.js';
import { waitFor } from '../support/wait-for.js';

const FROM = 'shop@example.com';
const TO = 'ada@example.org';
const HEADERS = `From: ${FROM}\r\nTo: ${TO}\r\nSubject: Hi\r\nMessage-ID: <order-1@example.com>\r\n\r\n`;

describe('SMTP submission of a process', () => {
  let fixture: DeliveryFixture;
  let port: number;
  const clients: SmtpClient[] = [];

  beforeEach(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    port = await freePort();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await killServiceProcesses();
    await fixture.stop();
  });

  const start = (variables: Record<string, string> = {}) =>
    startListening({
      ...fixture.variables,
      ...{ ROLE: 'api', SMTP_PORT: String(port), SMTP_ALLOW_PLAINTEXT_AUTH: 'true', ...variables },
    });
  const login = async () => {
    const client = await SmtpClient.login(port, fixture.secret);
    clients.push(client);
    return client;
  };
  const beginMail = async (client: SmtpClient) => {
    await client.expect(250, `MAIL FROM:<${FROM}>`);
    await client.expect(250, `RCPT TO:<${TO}>`);
    await client.expect(354, 'DATA');
  };

  it('stores one message of a mail that is submitted again, because the process was killed before its reply', async () => {
    const first = await start();
    const client = await login();
    await beginMail(client);
    client.stopReading();
    client.write(`${HEADERS}Hello\r\n.\r\n`);
    const [id] = await waitFor('the row', async () => {
      const pending = await fixture.pending();
      return pending.length > 0 && pending;
    });
    await first.process.kill('SIGKILL');

    await start();
    const again = await login();
    expect(idIn((await again.submit(FROM, [TO], `${HEADERS}Hello`)).text)).toBe(id);
    const worker = ServiceProcess.spawn({ ...fixture.variables, ROLE: 'worker' });
    await worker.waitFor('no delivery to be left', async () => (await fixture.pending()).length === 0);
    expect(fixture.arrivals()).toEqual([id]);
  });

  it('finishes on SIGTERM what is in DATA, and says 421 to all others', async () => {
    const { process } = await start();
    const [sending, idle] = [await login(), await login()];
    await beginMail(sending);
    sending.write(`${HEADERS}Hel`);
    await idle.expect(250, 'NOOP');
    process.signal('SIGTERM');
    expect((await idle.reply()).code).toBe(421);
    await process.waitFor('new connections to be refused', () =>
      SmtpClient.open(port).then(
        (client) => {
          client.close();
          return false;
        },
        () => true,
      ),
    );
    sending.write('lo\r\n.\r\n');
    const reply = await sending.reply();
    expect(await fixture.pending()).toEqual([idIn(reply.text)]);
    expect((await sending.reply()).code).toBe(421);
    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
  });

  it('stops HTTP and workers at once on SIGTERM, and gives those who are in DATA only seconds', async () => {
    const { process, url } = await start({ ROLE: 'all' });
    const [slow, sending] = [await login(), await login()];
    for (const client of [slow, sending]) {
      await beginMail(client);
      client.write(`${HEADERS}Hel`);
    }
    process.signal('SIGTERM');
    await process.waitFor('HTTP to be refused', () =>
      fetch(url, { headers: { Connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    expect(slow.unread).toBe('');
    sending.write('lo\r\n.\r\n');
    const id = idIn((await sending.reply()).text);
    expect((await slow.reply()).code).toBe(421);
    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
    // No worker has taken what was stored meanwhile.
    expect(fixture.arrivals()).toEqual([]);
    expect(await fixture.pending()).toEqual([id]);
  });

  it('logs each mail with its ids, and neither addresses nor keys nor content', async () => {
    const { process } = await start({ LOG_LEVEL: 'trace' });
    const client = await login();
    const reply = await client.submit(FROM, [TO], `${HEADERS}Content-4711`);
    expect((await client.submit(FROM, [TO], 'From: other-4711@example.net\r\n\r\nHello')).code).toBe(550);
    const stranger = await SmtpClient.open(port);
    clients.push(stranger);
    await stranger.reply();
    await stranger.expect(250, 'EHLO client.example');
    await stranger.expect(535, `AUTH PLAIN ${plain('sk_4711')}`);
    await process.kill('SIGTERM');
    const lines = process.printed.split('\n').filter((line) => line.includes('"event":"submission"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ code: 250, recipients: 1, messageId: idIn(reply.text), isRepeated: false }),
      expect.objectContaining({ code: 550, recipients: 1 }),
    ]);
    for (const secret of [FROM, TO, 'order-1', '4711', fixture.secret]) expect(process.printed).not.toContain(secret);
  });

  it('is one port for all PROCESSES', async () => {
    const { url } = await start({ PROCESSES: '2' });
    const sessions = await Promise.all(Array.from({ length: 8 }, login));
    const replies = await Promise.all(
      sessions.map((session, i) => session.submit(FROM, [`r${i}@example.org`], HEADERS)),
    );
    expect((await fixture.pending()).sort()).toEqual(replies.map(({ text }) => idIn(text)).sort());
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^smtp_connections 8$/m);
    expect(metrics).toMatch(/^smtp_transaction_duration_seconds_count\{code="250"\} 8$/m);
  });

  it('does not exist in a worker, and needs a certificate unless keys may be sent in plaintext', async () => {
    const worker = ServiceProcess.spawn({
      ...fixture.variables,
      ...{ ROLE: 'worker', SMTP_PORT: String(port), SMTP_ALLOW_PLAINTEXT_AUTH: 'true' },
    });
    await worker.waitForOutput(/Working on the queues/);
    await expect(SmtpClient.open(port)).rejects.toThrow(/ECONNREFUSED/);
    const unsafe = ServiceProcess.spawn({ ...fixture.variables, SMTP_PORT: String(port) });
    await unsafe.waitForExit();
    expect(unsafe.printed).toContain('SMTP_TLS_CERT: is required where SMTP_PORT is set');
  });

  it('does not start with files that are no certificate, and names them', async () => {
    const [cert, key] = ['/nonexistent/cert.pem', '/nonexistent/key.pem'];
    const process = ServiceProcess.spawn({
      ...{ ...fixture.variables, PORT: String(await freePort()), SMTPS_PORT: String(port) },
      ...{ SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key },
    });
    expect((await process.waitForExit()).code).toBe(1);
    expect(process.printed).toContain(`SMTP_TLS_CERT (${cert})`);
  });
});
