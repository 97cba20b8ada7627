import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Scope } from '../../src/shared/permissions.js';
import { CommandLine } from '../support/command-line.js';
import { freePort } from '../support/redis.js';
import { TestService } from '../support/service.js';

describe('opt-in-delivery', () => {
  let fixture: CommandLine;

  beforeAll(async () => {
    fixture = await CommandLine.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.openAccount());

  describe('doctor', () => {
    const doctor = async (args: string[] = [], options = {}) => {
      const { code, stdout } = await fixture.run(['doctor', '--json', ...args], options);
      const checks = JSON.parse(stdout) as { name: string; state: string; detail: string }[];
      const check = (wanted: string) => checks.find(({ name }) => name === wanted);
      return { code, check };
    };

    it('finds the service, the clock and the scopes of the key, and sends nothing', async () => {
      const { code, check } = await doctor();
      expect(code).toBe(0);
      expect([check('service')?.state, check('clock')?.state]).toEqual(['ok', 'ok']);
      expect(check('key')).toMatchObject({
        state: 'ok',
        detail: 'The key has the scopes read_events, send, sms:send, contacts:read, contacts:write',
      });
      expect(await fixture.read('/api/messages')).toMatchObject({ items: [] });
      expect(await fixture.contacts()).toEqual([]);
    });

    it.each([['read_events'], ['send'], ['sms:send'], ['contacts:read'], ['contacts:write']])(
      'finds a key with the scope %s alone',
      async (scope) => {
        const { secret: key } = await fixture.account.createKey({ scopes: [scope as Scope] });
        const { check } = await doctor([], { env: { DELIVERY_API_KEY: key } });
        expect(check('key')?.detail).toBe(`The key has the scopes ${scope}`);
      },
    );

    it('warns if every client can choose its own address', async () => {
      const production = await TestService.start({ ROLE: 'api', NODE_ENV: 'production' });
      try {
        const { secret } = await (await production.createAccount()).createKey({ scopes: ['send'] });
        const { code, check } = await doctor([], {
          env: { DELIVERY_BASE_URL: production.url, DELIVERY_API_KEY: secret },
        });
        expect(check('server')).toMatchObject({ state: 'warning', hint: expect.stringContaining('TRUSTED_PROXIES') });
        expect(code).toBe(0);
        expect((await doctor()).check('server')).toBeUndefined();
      } finally {
        await production.stop();
      }
    });

    it('says what is wrong, and how to correct it', async () => {
      const wrong = await fixture.run(['doctor'], { env: { DELIVERY_API_KEY: 'sk_wrong' } });
      expect(wrong.code).toBe(1);
      expect(wrong.stdout).toMatch(/failed {3}key {6}Invalid API key\n +Create a key in the dashboard/);
      const away = await doctor([], { env: { DELIVERY_BASE_URL: `http://127.0.0.1:${await freePort()}` } });
      expect(away.code).toBe(3);
      expect(away.check('service')?.detail).toContain('ECONNREFUSED');
    });

    it.each([
      [401, 'ok', 'refuses what is not signed'],
      [204, 'failed', 'accepts what is not signed'],
      [404, 'failed', 'responds with status 404'],
      [301, 'failed', 'responds with status 301'],
    ])('asks a webhook receiver that responds with %i', async (status, state, detail) => {
      const receiver = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
      const { code, check } = await doctor(['--webhook', url]);
      receiver.closeAllConnections();
      receiver.close();
      expect(check('webhook')).toMatchObject({ state, detail: expect.stringContaining(detail) });
      expect(code).toBe(state === 'ok' ? 0 : 1);
    });

    it('reports a domain whose records cannot be found or looked up', async () => {
      const { check } = await doctor(['--from', 'shop@example.invalid']);
      expect((check('spf') ?? check('dns'))?.state).toBe('warning');
    });
  });
});
