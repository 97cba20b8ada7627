import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CommandLine } from '../../support/command-line.js';
import { freePort } from '../../support/redis.js';
import { waitFor } from '../../support/wait-for.js';

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
      [['tail', '--interval', '0'], '--interval must be 0.05 to 86400 seconds'],
      [['tail', '--interval', '9999999'], '--interval must be 0.05 to 86400 seconds'],
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

  describe('tail', () => {
    const post = async (to: string) => {
      const body = { to, fromEmail: FROM, subject: 'Hello\u202e', text: 'Hello' };
      const sent = await fixture.service
        .request('post', '/api/send/transactional')
        .set('X-API-Key', fixture.secret)
        .send(body)
        .expect(201);
      return sent.body.messageLogId as string;
    };

    it('prints the latest messages, oldest first', async () => {
      for (const to of ['a@example.org', 'b@example.org', 'c@example.org']) {
        await post(to);
        fixture.service.clock.advance({ seconds: 1 });
      }
      const { code, stdout } = await fixture.run(['tail', '-n', '2', '--once']);
      expect(code).toBe(0);
      const lines = stdout.trim().split('\n');
      expect(lines.map((line) => /[abc]@example\.org/.exec(line)![0])).toEqual(['b@example.org', 'c@example.org']);
      expect(stdout).not.toContain('\u202e');
      const json = await fixture.run(['tail', '--once', '--json']);
      expect(
        json.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).to),
      ).toHaveLength(3);
    });

    it('follows new messages and changes of their status, each once', async () => {
      const interrupted = new AbortController();
      const first = await post('first@example.org');
      const { code, printed } = fixture.start(['tail', '--interval', '0.05', '--json'], { signal: interrupted.signal });
      const seen = () =>
        printed.stdout
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      await waitFor('the first message', () => seen().length === 1);
      const second = await post('second@example.org');
      await waitFor('the second message', () => seen().length === 2);
      await fixture.service
        .request('post', `/api/messages/${first}/cancel`)
        .set('X-API-Key', fixture.secret)
        .expect(200);
      await waitFor('its new status', () => seen().length === 3);
      interrupted.abort();
      expect(await code).toBe(0);
      expect(seen().map(({ id, status }) => [id, status])).toEqual([
        [first, 'queued'],
        [second, 'queued'],
        [first, 'canceled'],
      ]);
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
        'ada@example.org',
        'grace@example.org',
      ]);
      expect(await fixture.run(['suppress', 'check', 'ada@example.org', 'da@example.org'])).toMatchObject({
        code: 0,
        stdout: 'unsubscribed  ada@example.org\nno contact  da@example.org\n',
      });
    });
  });
});
