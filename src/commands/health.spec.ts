import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { readEnvironment } from '../config/env.js';
import { checkHealth } from './health.js';

const BODIES: Record<string, [number, string]> = {
  '/health/live': [200, '{"status":"up","checks":{}}'],
  '/health/ready': [503, '{"status":"down","checks":{"database":"down"}}'],
};

describe('The health command', () => {
  let server: Server;
  let PORT: string;

  beforeEach(async () => {
    server = createServer((request, response) => {
      const [status, body] = BODIES[request.url!]!;
      response.writeHead(status).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    PORT = String((server.address() as AddressInfo).port);
  });
  afterEach(() => {
    server.close();
  });

  it.each(['127.0.0.1', '0.0.0.0', ''])('asks the process that listens on HOST=%s', async (HOST) => {
    await expect(checkHealth([], readEnvironment({ PORT, HOST }))).resolves.toBe('{"status":"up","checks":{}}');
  });

  it('asks a worker that has a port', async () => {
    await expect(checkHealth([], readEnvironment({ PORT, ROLE: 'worker' }))).resolves.toContain('up');
  });

  it('fails with the response of a process that is not ready, only if asked for that', async () => {
    await expect(checkHealth(['--ready'], readEnvironment({ PORT }))).rejects.toThrow(
      `http://localhost:${PORT}/health/ready responds with 503: {"status":"down","checks":{"database":"down"}}`,
    );
  });

  it('fails with the reason if nothing listens', async () => {
    server.close();
    await once(server, 'close');
    await expect(checkHealth([], readEnvironment({ PORT, HOST: '127.0.0.1' }))).rejects.toThrow(
      new RegExp(`^http://127.0.0.1:${PORT}/health/live does not respond: .*ECONNREFUSED`),
    );
  });

  it('says what a worker without a port needs', async () => {
    await expect(checkHealth([], readEnvironment({ ROLE: 'worker' }))).rejects.toThrow('set PORT');
  });

  it('refuses options that it does not know', async () => {
    await expect(checkHealth(['--redy'], readEnvironment({ PORT }))).rejects.toThrow("Unknown option '--redy'");
  });
});
