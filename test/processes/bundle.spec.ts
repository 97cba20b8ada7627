import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';

const CHUNKS = fileURLToPath(new URL('../../dist/chunks/', import.meta.url));
const ADMIN = { email: 'ada@example.com', password: 'ada password' };

interface Coverage {
  result: { url: string }[];
}

/** `npm run build` puts most packages into the bundle, one per file. */
describe('The bundle', () => {
  let database: TestDatabase;
  let coverage: string;

  beforeEach(async () => {
    database = await createTestDatabase('template0');
    coverage = await mkdtemp(join(tmpdir(), 'bundle-spec-'));
  });
  afterEach(async () => {
    await killServiceProcesses();
    await rm(coverage, { recursive: true });
    await database.drop();
  });

  /** Packages of which the process loaded files from node_modules. */
  async function packagesLoaded(): Promise<Set<string>> {
    const files = await Promise.all((await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')));
    const urls = files.flatMap((file) => (JSON.parse(file) as Coverage).result.map(({ url }) => url));
    return new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));
  }

  it('validates and converts as its parts do, and contains no package that is loaded from node_modules, too', async () => {
    const { process, url } = await startListening({
      DATABASE_URL: database.url,
      APP_SECRET: 'a secret of the tests, of thirty-two characters and more',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      NODE_V8_COVERAGE: coverage,
    });
    const post = async (path: string, body: object, headers = {}) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      return fetch(url + path, { ...init, body: JSON.stringify(body) });
    };
    const login = await post('/api/auth/login', ADMIN);
    const { accessToken } = (await login.json()) as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${url}/api/messages?limit=10`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const refused = await post('/api/api-keys', { name: '', scopes: ['all'], dailyLimit: '1' }, headers);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(await refused.json())).toContain('scopes');
    await process.kill('SIGTERM');

    const loaded = await packagesLoaded();
    expect(loaded).toContain('class-validator');
    const chunks = await readdir(CHUNKS);
    expect(chunks.some((file) => file.startsWith('@nestjs-core-'))).toBe(true);
    const isBundled = (name: string) =>
      chunks.some((file) => file.replace(/-[\w-]{8}\.js$/, '') === name.replace('/', '-'));
    // class-validator loads another build of it, and it has no state.
    expect([...loaded].filter(isBundled)).toEqual(['libphonenumber-js']);
  });
});
