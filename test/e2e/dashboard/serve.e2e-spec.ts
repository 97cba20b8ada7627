import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { readDashboard } from '../../../src/platform/http/dashboard-files.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PAGES = [
  '/',
  '/login',
  '/overview',
  '/messages',
  '/messages/c000000000000000000000000',
  '/api-keys',
  '/settings',
];

describe('The dashboard', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', BASE_URL: 'https://mail.example.org/delivery' });
  });
  afterAll(() => service.stop());

  const get = (path: string) => fetch(`${service.url}${path}`);

  it.each(PAGES)('is at %s, and revalidated each time', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<div id="root">');
  });

  it('runs no script and loads nothing but its own files, and has a new nonce in each response', async () => {
    const [one, two] = [await get('/'), await get('/')];
    const policyOf = (response: Response) => response.headers.get('content-security-policy')!;
    const [, nonce] = /'nonce-([^']+)'/.exec(policyOf(one))!;
    expect(policyOf(one).split('; ')).toEqual([
      "default-src 'self'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "frame-src 'none'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(policyOf(two)).not.toBe(policyOf(one));
    const page = await one.text();
    expect(page).toContain(`nonce="${nonce}"`);
    expect(page).not.toMatch(/<script(?![^>]* src=)/);
    expect(page).toContain('<base href="/delivery/">');
    expect(page).not.toMatch(/(src|href)="\/(?!delivery\/)/);
  });

  it('serves its files as immutable, compressed if accepted', async () => {
    const { assets } = readDashboard()!;
    const [name, asset] = [...assets].find(([file]) => file.startsWith('index-') && file.endsWith('.js'))!;
    const plain = await service.request('get', `/assets/${name}`).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzipped = await service.request('get', `/assets/${name}`).set('Accept-Encoding', 'gzip').expect(200);
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await asset.gzipped())).toEqual(asset.plain);
  });

  it.each(['/nowhere', '/assets/nothing.js', '/assets/..%2findex.html', '/inbox', '/api/nothing', '/overviews'])(
    'is not at %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(errorBody(404, `Cannot GET ${path}`));
    },
  );

  it.each(['/nowhere', '/overviews/and/more', '/inbox', '/health/nothing'])(
    'says in a browser that there is no page at %s',
    async (path) => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const response = await fetch(`${service.url}${path}`, { headers: { accept } });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  it.each(['/api/nothing', '/assets/nothing.js'])('has no page at %s in a browser either', async (path) => {
    const response = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ statusCode: 404, message: `Cannot GET ${path}` });
  });

  it('shows the pages for people at their addresses in a browser', async () => {
    const response = await fetch(`${service.url}/u/nothing`, { headers: { accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('This link does not work')]);
  });

  it('does not affect other paths', async () => {
    expect(await (await get('/health/live')).json()).toMatchObject({ status: 'up' });
    expect(await (await get('/docs')).text()).toContain('swagger-ui');
    expect((await get('/openapi.json')).headers.get('content-type')).toContain('application/json');
    expect((await get('/metrics')).headers.get('content-type')).toContain('text/plain');
    expect((await get('/u/nothing')).status).toBe(404);
    expect((await fetch(`${service.url}/overview`, { method: 'POST' })).status).toBe(404);
  });

  it('is not served by a worker', async () => {
    const worker = await TestService.start({ ROLE: 'worker', PORT: '0' });
    try {
      expect((await fetch(`${worker.url}/`)).status).toBe(404);
    } finally {
      await worker.stop();
    }
  });
});
