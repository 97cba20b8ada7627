import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CommandLine } from '../support/command-line.js';
import { freePort } from '../support/redis.js';

const FROM = CommandLine.SENDER;

describe('opt-in-delivery', () => {
  let fixture: CommandLine;

  beforeAll(async () => {
    fixture = await CommandLine.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.openAccount());

  describe('send', () => {
    const WANTED = ['send', '--to', 'ada@example.org', '--from', FROM, '--subject', 'Hello'];

    it('sends what its options and files say, once', async () => {
      const html = await fixture.file('mail.html', '<p>Hello</p>');
      const invoice = await fixture.file('invoice.txt', 'Grüße');
      const options = ['--html', html, '--attach', invoice, '--cc', 'cc@example.org', '--tag', 'a', '--tag', 'b'];
      const args = [...WANTED, ...options, '--text', 'Hello', '--idempotency-key', 'order-1', '--json'];
      const first = await fixture.run(args);
      const again = await fixture.run(args);
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toBe(first.stdout);
      const { messageLogId } = JSON.parse(first.stdout);
      const message = await fixture.read(`/api/messages/${messageLogId}`);
      expect(message).toMatchObject({
        to: 'ada@example.org',
        tags: ['a', 'b'],
        attachments: [{ filename: 'invoice.txt', size: 7 }],
        copies: [{ role: 'cc' }],
      });
    });

    it('reads the text from standard input', async () => {
      for (const args of [WANTED, [...WANTED, '--text', '-']]) {
        const { code, stdout } = await fixture.run(args, { stdin: 'From a pipe' });
        expect(code).toBe(0);
        const id = /^Queued (c[a-z0-9]{24})\n$/.exec(stdout)![1]!;
        const { body } = await fixture.account.asAdmin('get', `/api/messages/${id}/content`).expect(200);
        expect(body.text).toContain('From a pipe');
      }
    });

    it('says what the service refuses, and exits with 1', async () => {
      const stranger = await fixture.run(['send', '--to', 'ada@example.org', '--subject', 'Hi', '--text', 'Hi'], {
        env: { DELIVERY_FROM: 'stranger@example.net' },
      });
      expect(stranger).toMatchObject({ code: 1, stdout: '' });
      expect(stranger.stderr).toContain('stranger@example.net is not verified for sending');
      expect(await fixture.run([...WANTED, '--text', 'Hi'], { env: { DELIVERY_API_KEY: 'sk_wrong' } })).toMatchObject({
        code: 1,
        stderr: 'Invalid API key\n',
      });
    });

    it.each([
      [['send', '--subject', 'Hi'], '--to is missing'],
      [['send', '--to', 'ada@example.org', '--text', 'x'], '--from is missing'],
      [['send', '--to', 'ada@example.org', '--nonsense'], '--nonsense'],
      [['send', '--sms', '--to', '+14155550100', '--html', 'x'], '--text'],
      [[...WANTED, '--attach', '/does/not/exist'], 'no such file'],
      [[...WANTED, '--text', 'x', '--variables', '{'], '--variables is not JSON'],
      [['sing'], 'sing is not a command'],
      [['toString'], 'toString is not a command'],
      [['suppress', 'add'], 'There is no address'],
      [['suppress', 'remove', 'ada@example.org'], 'A key cannot lift a suppression'],
      [['suppress', 'add', '+14155550100'], 'is not an e-mail address'],
      [['import'], 'import needs one file'],
      [['import', 'x.csv', '--preset', 'pigeons'], 'pigeons is not a preset'],
      [['tail', '-n', 'x'], '--lines is not a number'],
      [['sing\u001b]0;x\u0007'], 'sing ]0;x  is not a command'],
      [['suppress', 'add', '\u009b31m'], ' 31m is not an e-mail address'],
    ])('exits with 2 after %j', async (args, message) => {
      const { code, stdout, stderr } = await fixture.run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
    });

    it('explains itself', async () => {
      expect(await fixture.run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
      expect((await fixture.run([])).code).toBe(2);
      expect(await fixture.run(['tail'], { env: { DELIVERY_API_KEY: undefined } })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('DELIVERY_API_KEY'),
      });
    });

    it('exits with 3 if the service cannot be reached, and says how to repeat the send', async () => {
      const env = { DELIVERY_BASE_URL: `http://127.0.0.1:${await freePort()}` };
      const { code, stderr } = await fixture.run([...WANTED, '--text', 'Hi'], { env });
      expect(code).toBe(3);
      expect(stderr).toMatch(/ECONNREFUSED[^]*--idempotency-key [\da-f-]{36}\n/);
    });
  });

  describe('send without an answer', () => {
    const WANTED = ['send', '--to', 'ada@example.org', '--from', FROM, '--subject', 'Hello', '--text', 'Hi'];
    let proxy: Server;
    let keys: unknown[];
    let respond: (response: ServerResponse) => void;

    beforeEach(async () => {
      keys = [];
      proxy = createServer(({ headers }, response) => {
        keys.push(headers['idempotency-key']);
        respond(response);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    afterEach(async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    });

    const env = () => ({ DELIVERY_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });

    it.each([
      [504, 3],
      [500, 1],
    ])('says after a %i how to repeat it, and exits with %i', async (status, code) => {
      // A wait for which it does not wait.
      respond = (response) => response.writeHead(status, { 'Retry-After': '60' }).end('<h1>Sorry</h1>');
      const result = await fixture.run(WANTED, { env: env() });
      expect(result.code).toBe(code);
      expect(result.stderr).toBe(
        `The service responded with status ${status}\n` +
          `It may have been sent: to be safe, repeat it with --idempotency-key ${String(keys[0])}\n`,
      );
    });

    it('says after an interruption how to repeat it', async () => {
      const interrupted = new AbortController();
      respond = () => {
        interrupted.abort();
      };
      for (const own of [[], ['--idempotency-key', 'order-2']]) {
        const { code, stderr } = await fixture.run([...WANTED, ...own], { env: env(), signal: interrupted.signal });
        expect(code).toBe(3);
        expect(stderr).toMatch(
          new RegExp(`^Interrupted\nIt may have been sent: .* --idempotency-key ${own[1] ?? String(keys[0])}\n$`),
        );
      }
    });
  });

  describe('suppress', () => {
    it('adds addresses, and checks them', async () => {
      const list = await fixture.file('list.txt', 'grace@example.org\r\n\nnobody@\n');
      const added = await fixture.run(['suppress', 'add', 'Ada@example.org', '--file', list, '--json']);
      expect(added.code).toBe(1);
      expect(
        added.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual([
        { address: 'Ada@example.org', status: 'unsubscribed', error: null },
        { address: 'grace@example.org', status: 'unsubscribed', error: null },
        { address: 'nobody@', status: null, error: 'email must be an email address' },
      ]);
      const { body } = await fixture.account.asAdmin('get', '/api/suppressions').expect(200);
      expect(body.items.map(({ address }: { address: string }) => address).sort()).toEqual([
        'Ada@example.org',
        'grace@example.org',
      ]);
      await fixture.account.asAdmin('post', '/api/suppressions').send({ phone: '+14155550100' }).expect(201);
      const addresses = ['ada@EXAMPLE.org', 'da@example.org', '(415) 555-0100', 'nobody@'];
      const { code, stdout } = await fixture.run(['suppress', 'check', ...addresses]);
      expect(code).toBe(1);
      expect(stdout.replaceAll(/since \S+/g, 'since then').split('\n')).toEqual([
        'unsubscribed  ada@EXAMPLE.org  since then',
        'not suppressed  da@example.org',
        'manual  (415) 555-0100  since then',
        expect.stringMatching(/^refused {2}nobody@ {2}address must be an email address/),
        '',
      ]);
    });

    it('checks addresses that are suppressed without a contact, and erased ones', async () => {
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'grace@example.org' }).expect(201);
      const { body } = await fixture.account.asAdmin('post', '/api/contacts').send({ email: 'joan@example.org' });
      await fixture.account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
      const { stdout } = await fixture.run(['suppress', 'check', 'grace@example.org', 'joan@example.org', '--json']);
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual([
        { address: 'grace@example.org', status: 'manual', since: expect.any(String), error: null },
        { address: 'joan@example.org', status: 'erased', since: expect.any(String), error: null },
      ]);
    });
  });

  describe('consent', () => {
    it('records that somebody has agreed or taken it back, and shows what stands', async () => {
      const wording = 'Yes, send me news';
      const at = '2021-01-02T10:00:00Z';
      const recorded = await fixture.run([
        'consent',
        'record',
        'ada@example.org',
        '--wording',
        wording,
        '--at',
        at,
        '--ip',
        '192.0.2.1',
        '--json',
      ]);
      expect(recorded).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(recorded.stdout)).toMatchObject({
        ...{ action: 'granted', source: 'api', wording: { version: null, text: wording }, ip: '192.0.2.1' },
        occurredAt: '2021-01-02T10:00:00.000Z',
      });
      expect(await fixture.run(['consent', 'standing', 'ada@example.org'])).toMatchObject({
        stdout: 'granted  marketing  2021-01-02T10:00:00.000Z\nnone  tracking\n',
      });
      expect(await fixture.run(['consent', 'record', 'ada@example.org', '--withdrawn'])).toMatchObject({ code: 0 });
      const { stdout } = await fixture.run(['consent', 'standing', 'ada@example.org']);
      expect(stdout).toMatch(/^withdrawn {2}marketing {2}/);
    });

    it.each([
      [['consent'], 2, 'consent needs record or standing'],
      [['consent', 'record'], 2, 'consent record needs one address'],
      [['consent', 'record', 'a@b.example', '--purpose', 'sales'], 2, '--purpose is marketing or tracking'],
      [['consent', 'record', 'a@b.example', '--at', '2999-01-01'], 1, 'occurredAt must not be in the future'],
    ])('refuses %j', async (args, code, message) => {
      expect(await fixture.run(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
    });
  });
});
