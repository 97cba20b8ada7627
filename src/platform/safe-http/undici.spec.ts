import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'undici';

import { LeasedExchange } from './leased-exchange.js';

const require = createRequire(import.meta.url);
const WRITTEN = 'undici:client:sendHeaders';

class Exchange extends LeasedExchange<undefined> {
  onResponseStart(): void {}
  onResponseData(): void {}
  onResponseEnd(): void {
    this.complete(undefined);
  }
}

/** Behaviour that the check of leases relies on. After an update of undici, check it, then the version. */
describe('undici', () => {
  let server: Server;
  let pool: Pool;
  let steps: string[];
  const written = () => steps.push('written');

  beforeEach(async () => {
    steps = [];
    server = createServer((request, response) => request.resume().on('end', () => response.end()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
    subscribe(WRITTEN, written);
  });
  afterEach(async () => {
    unsubscribe(WRITTEN, written);
    await pool.destroy();
    server.close();
  });

  it('is the version that was checked', () => {
    expect((require('undici/package.json') as { version: string }).version).toBe('7.30.2');
  });

  it.each([['new'], ['used']])(
    'writes a request in the step that asks whether it may, on a %s connection',
    async (kind) => {
      const post = () => {
        const exchange = new Exchange(() => {
          steps.push('asked');
          queueMicrotask(() => steps.push('next step'));
          return true;
        });
        pool.dispatch({ method: 'POST', path: '/', body: 'Hello' }, exchange);
        return exchange.reply;
      };
      if (kind === 'used') await post();
      steps.length = 0;
      await post();
      expect(steps).toEqual(['asked', 'written', 'next step']);
    },
  );

  it('asks for the next piece of a body only when the connection accepts more', async () => {
    server.removeAllListeners('request').on('request', (request) => request.pause());
    let asked = 0;
    const body = {
      *[Symbol.iterator]() {
        for (;;) yield 'x'.repeat(++asked && 1_048_576);
      },
    };
    const exchange = new Exchange();
    const headers = { 'content-length': String(1e12) };
    pool.dispatch({ method: 'POST', path: '/', headers, body: body as unknown as string }, exchange);
    exchange.reply.catch(() => undefined);
    await once(server, 'request');
    let before = -1;
    while (asked !== before) {
      before = asked;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked).toBeLessThan(100);
  });
});
