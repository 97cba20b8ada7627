import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { OutboxDispatcher } from '../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import type { TestAccount } from '../support/account.js';
import { ReceiverProgram } from '../support/receiver-program.js';
import { freePort } from '../support/redis.js';
import { compileProgram, installSdk } from '../support/sdk-package.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const run = promisify(execFile);
const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** Prepares the example program of a language, and returns the command that runs it. */
interface Language {
  fence: string;
  isThere: boolean;
  prepare(directory: string, source: string): Promise<string[]>;
}

const LANGUAGES: Record<string, Language> = {
  TypeScript: { fence: 'ts', isThere: true, prepare: prepareTypeScript },
  Python: {
    fence: 'python',
    isThere: isThere('python3', '--version'),
    prepare: async (directory, source) => {
      await writeFile(join(directory, 'receiver.py'), source);
      return ['python3', join(directory, 'receiver.py')];
    },
  },
  Go: {
    fence: 'go',
    isThere: isThere('go', 'version'),
    prepare: async (directory, source) => {
      await writeFile(join(directory, 'receiver.go'), source);
      const env = { ...process.env, GOCACHE: join(directory, 'cache'), GO111MODULE: 'off' };
      await run('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: directory, env });
      return [join(directory, 'receiver')];
    },
  },
};

/** As users have it: the built package, and a compiler that sees only its types. */
async function prepareTypeScript(directory: string, source: string): Promise<string[]> {
  await installSdk(directory);
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'receiver.ts'), source);
  await compileProgram(directory, 'receiver.ts');
  return [process.execPath, join(directory, 'receiver.js')];
}

describe('the receivers in docs/webhooks.md', () => {
  let page: string;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    page = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8');
    service = await TestService.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    account = await service.createAccount();
  });

  afterAll(() => service.stop());

  for (const [name, language] of Object.entries(LANGUAGES)) {
    (language.isThere ? describe : describe.skip)(
      `${name}${language.isThere ? '' : ', which is not installed'}`,
      () => {
        let directory: string;
        let command: string[];
        const running: ReceiverProgram[] = [];

        beforeAll(async () => {
          directory = await mkdtemp(join(tmpdir(), 'receiver-'));
          const [, source] = new RegExp(`^### ${name}\\n[^]*?\`\`\`${language.fence}\\n([^]*?)\`\`\``, 'm').exec(page)!;
          command = await language.prepare(directory, source!);
        });

        afterEach(async () => {
          await Promise.all(running.splice(0).map((program) => program.stop()));
        });

        afterAll(() => rm(directory, { recursive: true }));

        const start = async (port: number, secret: string) => {
          const program = await ReceiverProgram.start(command, port, secret);
          running.push(program);
          return program;
        };

        it('accepts what the service delivers, also with the old secret after a rotation', async () => {
          const port = await freePort();
          const endpoint = { url: `http://127.0.0.1:${port}/hooks`, events: ['contact.suppressed'] };
          const { body } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
          const program = await start(port, body.signingSecret);

          const email = `${name.toLowerCase()}.ädä@example.org`;
          await account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
          await service.app.get(OutboxDispatcher, { strict: false }).dispatch();
          await waitFor('the delivery', async () => {
            const { body: page } = await account.asAdmin('get', `/api/webhooks/${body.id}/deliveries?state=delivered`);
            return page.items.length === 1;
          });
          await waitFor('the program to report it', () => program.printed.includes(email));
          expect(program.printed).toContain('contact.suppressed');

          const test = () => account.asAdmin('post', `/api/webhooks/${body.id}/test`).send().expect(200);
          await account.asAdmin('post', `/api/webhooks/${body.id}/rotate-secret`).send().expect(200);
          expect((await test()).body).toMatchObject({ delivered: true, statusCode: 204 });
          service.clock.advance({ seconds: 61 });
          await account.asAdmin('post', `/api/webhooks/${body.id}/rotate-secret`).send().expect(200);
          expect((await test()).body).toMatchObject({ delivered: false, statusCode: 401 });
          await account.asAdmin('delete', `/api/webhooks/${body.id}`).expect(200);
        });

        it('refuses what the service did not sign, or not recently', async () => {
          const secret = 'whsec_c2VjcmV0';
          const program = await start(await freePort(), secret);
          const body = '{"event":"webhook.test","data":{"a":"ü"}}';
          const now = Math.floor(Date.now() / 1_000);
          const sign = (key = secret, at: string | number = now, text = body) =>
            `v1=${createHmac('sha256', key).update(`${at}.${text}`).digest('base64')}`;
          const post = (at: string | number | undefined, signature: string | undefined, previous?: string) => {
            const headers = { Timestamp: at?.toString(), Signature: signature, 'Signature-Previous': previous };
            const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
            return program.post(Object.fromEntries(given.map(([key, value]) => [`X-Service-${key}`, value])), body);
          };

          expect(await post(now, sign())).toBe(204);
          expect(await post(now, sign('another'), sign())).toBe(204);
          expect(await post(now - 290, sign(secret, now - 290))).toBe(204);
          for (const [at, signature] of [
            [now, sign('another')],
            [now, sign(secret, now, `${body} `)],
            [now, sign(secret, now - 1)],
            [now, sign().slice('v1='.length)],
            [now, `${sign()} `.repeat(2)],
            [now, ''],
            [now, undefined],
            [now - 310, sign(secret, now - 310)],
            [now + 310, sign(secret, now + 310)],
            [`${now}x`, sign(secret, `${now}x`)],
            ['', sign(secret, '')],
            [undefined, sign()],
          ] as const)
            expect([at, signature, await post(at, signature)]).toEqual([at, signature, 401]);
        });
      },
    );
  }
});
