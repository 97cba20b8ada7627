import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../support/account.js';
import { compileProgram, installSdk } from '../support/sdk-package.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WEBHOOK_SECRET = 'whsec_c2VjcmV0';
const ID = 'c[a-z0-9]{24}';

/** The program of a block, written to a file, and the command that runs it. */
const LANGUAGES: Record<string, { file: string; command: string[]; isThere: boolean }> = {
  ts: { file: 'program.ts', command: [process.execPath, 'program.js'], isThere: true },
  sh: { file: 'program.sh', command: ['sh', '-e', 'program.sh'], isThere: true },
  python: {
    file: 'program.py',
    command: ['python3', 'program.py'],
    isThere: spawnSync('python3', ['--version']).status === 0,
  },
  go: { file: 'program.go', command: ['go', 'run', 'program.go'], isThere: spawnSync('go', ['version']).status === 0 },
};

/** What a program prints about a canceled message, which does not end, and the file in which it stores its position. */
interface Follower {
  file: string;
  follows: RegExp;
}

/** What each block of a page prints. */
const PAGES: Record<string, { language: string; printed: (RegExp | Follower)[] }> = {
  'packages/sdk/README.md': {
    language: 'ts',
    printed: [
      new RegExp(`^queued ${ID}\n$`),
      new RegExp(`^true\n0 ${ID}\n1 to must be an email address\n$`),
      /^\d+ of \d+ delivered\nada@example\.org active\n$/,
      new RegExp(`^(\\w+ ${ID} [^]*)?canceled ${ID} \\{\\}\n$`),
      /^sender_not_verified stranger@example\.net is not verified for sending/,
      /^$/,
    ],
  },
  'docs/cli.md': {
    language: 'sh',
    printed: [
      new RegExp(`ok +service[^]*ok +key[^]*(Queued ${ID}\n){2}[^]*queued +${ID} +ada@example.org`),
      /^unsubscribed {2}grace@example\.org\n(unsubscribed {2}\w+@example\.org\n){2}unsubscribed {2}grace@example\.org {2}since \S+\n$/,
      /Nothing was imported[^]*1 created, 1 updated, 0 unchanged/,
    ],
  },
  'docs/python.md': {
    language: 'python',
    printed: [
      new RegExp(`^queued ${ID}\n$`),
      /queued ada@example\.org/,
      { file: 'events.position', follows: new RegExp(`Z canceled ${ID}\n$`) },
    ],
  },
  'docs/go.md': { language: 'go', printed: [new RegExp(`^queued ${ID}\n$`)] },
};

describe('the programs in', () => {
  let directory: string;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'client-docs-'));
    await installSdk(directory);
    await writeFile(join(directory, 'package.json'), '{"type":"module"}');
    await mkdir(join(directory, 'bin'));
    const main = join(directory, 'node_modules/opt-in-delivery-sdk/dist/cli/main.js');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
    await writeFile(join(directory, 'bin/opt-in-delivery'), script, { mode: 0o755 });
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await account.verifySender('you@example.com');
    ({ secret } = await account.createKey());
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  const environment = () => ({
    PATH: `${directory}/bin:${process.env.PATH}`,
    HOME: directory,
    DELIVERY_API_KEY: secret,
    DELIVERY_BASE_URL: service.url,
    WEBHOOK_SECRET,
  });
  const execute = async ([command, ...args]: string[], env: Record<string, string> = {}) => {
    const options = { cwd: directory, env: { ...environment(), ...env } };
    const child = spawn(command!, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await ended, stdout, stderr };
  };
  const cancelOne = async () => {
    const tomorrow = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
    const mail = { to: 'ada@example.org', fromEmail: 'you@example.com', subject: 'Hello', text: 'Hello' };
    const post = (path: string) => service.request('post', path).set('X-API-Key', secret);
    const { body } = await post('/api/send/transactional').send({ ...mail, scheduledAt: tomorrow });
    await post(`/api/messages/${body.messageLogId}/cancel`).expect(200);
  };
  const follow = async ([command, ...args]: string[], { file, follows }: Follower) => {
    const child = spawn(command!, args, { cwd: directory, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let printed = '';
    child.stdout.on('data', (part) => (printed += String(part)));
    try {
      await waitFor('its position', () => existsSync(join(directory, file)));
      await cancelOne();
      await waitFor('the event', () => follows.test(printed));
    } finally {
      child.kill();
      await ended;
    }
  };
  const blocksOf = async (page: string, language: string) => {
    const source = await readFile(join(ROOT, page), 'utf8');
    return [...source.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);
  };
  const prepare = async (language: string, block: string) => {
    const { file } = LANGUAGES[language]!;
    await writeFile(join(directory, file), block);
    if (language === 'ts') await compileProgram(directory, file);
  };

  for (const [page, { language, printed }] of Object.entries(PAGES)) {
    const { isThere, command } = LANGUAGES[language]!;
    (isThere ? it : it.skip)(isThere ? page : `${page}: ${language} is not installed`, async () => {
      const blocks = await blocksOf(page, language);
      expect(blocks).toHaveLength(printed.length);
      for (const [index, block] of blocks.entries()) {
        await prepare(language, block);
        const expected = printed[index]!;
        if (expected instanceof RegExp)
          expect(await execute(command)).toMatchObject({ status: 0, stdout: expect.stringMatching(expected) });
        else await follow(command, expected);
      }
    });
  }

  for (const page of ['docs/python.md', 'docs/go.md']) {
    const { language } = PAGES[page]!;
    const { isThere, command } = LANGUAGES[language]!;
    (isThere ? it : it.skip)(
      isThere ? `${page}: no redirect is followed` : `${page}: no redirect is followed; ${language} is not installed`,
      async () => {
        const arrived: string[] = [];
        const listen = async (respond: (request: IncomingMessage) => string | null) => {
          const server = createServer((request, response) => {
            const location = respond(request);
            if (location === null) response.end('{}');
            else response.writeHead(302, { Location: location }).end('<h1>Found</h1>');
          });
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
          return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
        };
        const close = (server: Server) => new Promise((resolve) => server.close(resolve));
        const other = await listen(({ method, url }) => {
          arrived.push(`${method} ${url}`);
          return null;
        });
        const moved = await listen(() => `${other.url}/elsewhere`);
        try {
          for (const block of await blocksOf(page, language)) {
            await prepare(language, block);
            const { status, stdout, stderr } = await execute(command, { DELIVERY_BASE_URL: moved.url });
            expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
            expect(stderr).toContain('302');
          }
          expect(arrived).toEqual([]);
        } finally {
          await Promise.all([close(moved.server), close(other.server)]);
        }
      },
    );
  }

  it('packages/sdk/README.md: the receiver accepts what is signed, and nothing else', async () => {
    const blocks = await blocksOf('packages/sdk/README.md', 'ts');
    const body = '{"event":"contact.bounced","data":{"email":"ada@example.org","diagnosticCode":"550"}}';
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${timestamp}.${body}`).digest('base64');
    const caller = `
      const headers = { 'X-Service-Timestamp': '${timestamp}', 'X-Service-Signature': 'v1=${signature}' };
      for (const body of ['${body}', '{}'])
        console.log((await handle(new Request('http://x', { method: 'POST', headers, body }))).status);`;
    await prepare('ts', blocks.at(-1)! + caller);
    const { stdout, stderr } = await execute(LANGUAGES.ts!.command);
    expect({ stdout, stderr }).toEqual({ stdout: 'ada@example.org 550\n204\n401\n', stderr: '' });
  });
});
