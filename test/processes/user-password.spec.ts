import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { createAccountFromArguments } from '../../src/commands/account-create.js';
import { Config } from '../../src/config/config.js';
import { resetPasswordFromArguments } from '../../src/commands/user-password.js';
import { TestService } from '../support/service.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EMAIL = 'ada@example.com';
const FORGOTTEN = 'ada password';
const NEW = 'a new password';

describe('user:password', () => {
  let service: TestService;
  let target: { databaseUrl: string; dataDir: string };

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: FORGOTTEN });
    target = { databaseUrl: service.app.get(Config).databaseUrl, dataDir: '/nowhere' };
  });
  afterAll(() => service.stop());

  const login = (password: string) => service.request('post', '/api/auth/login').send({ email: EMAIL, password });
  const reset = (args: string[], typed = '') => resetPasswordFromArguments(args, target, () => Promise.resolve(typed));

  it('sets the password, ends the sessions of the user and clears the failed logins', async () => {
    const { body } = await login(FORGOTTEN).expect(200);
    for (let n = 0; n < 10; n++) await login(`guess ${n}`).expect(401);
    await login(FORGOTTEN).expect(429);
    expect(await reset(['--email', ' ADA@example.com', '--password', NEW])).toContain(EMAIL);
    await service.request('get', '/api/auth/me', body.accessToken).expect(401);
    await login(FORGOTTEN).expect(401);
    await login(NEW).expect(200);
  });

  it('reads the password from standard input', async () => {
    const file = fileURLToPath(new URL('../../dist/src/commands/main.js', import.meta.url));
    const child = run(process.execPath, [file, 'user:password', '--email', EMAIL], {
      env: { PATH: process.env.PATH, DATABASE_URL: target.databaseUrl, DATA_DIR: target.dataDir },
    });
    child.child.stdin!.end('typed password\n');
    expect((await child).stdout).toContain(EMAIL);
    await login('typed password').expect(200);
  });

  it.each([
    [[], '', '--email is required'],
    [['--email', EMAIL], '', '--password must have 8 to 200 characters'],
    [['--email', EMAIL, '--password', 'short'], '', '--password must have 8 to 200 characters'],
    [['--email', 'nobody@example.com'], 'long enough', 'No user has the email nobody@example.com'],
    [['--user', EMAIL], '', "Unknown option '--user'"],
  ])('explains what is wrong with %j', async (args, typed, message) => {
    await expect(reset(args, typed)).rejects.toThrow(message);
  });

  it('and account:create print their help without a database', async () => {
    const nowhere = { databaseUrl: 'postgres://localhost:1/nothing', dataDir: '/nowhere' };
    const never = () => Promise.reject(new Error('asked for a password'));
    expect(await resetPasswordFromArguments(['--help'], nowhere, never)).toContain('--email');
    expect(await createAccountFromArguments(['--help'], nowhere)).toContain('--name');
  });

  it.each(['account:create', 'user:password'])('%s is built only if needed', async (script) => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(scripts[script]).toMatch(
      new RegExp(`^node scripts/build-if-stale\\.mjs (dist/\\S+) && node \\1 ${script}$`),
    );
  });
});

/** In a folder of its own: the build of this one is what other tests run. */
describe('build-if-stale', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'build-if-stale-'));
    await mkdir(join(root, 'scripts'));
    await mkdir(join(root, 'src'));
    await copyFile(join(ROOT, 'scripts/build-if-stale.mjs'), join(root, 'scripts/build-if-stale.mjs'));
    const build = `node -e "fs.mkdirSync('dist', {recursive: true}); fs.appendFileSync('dist/main.js', '.')"`;
    await writeFile(join(root, 'package.json'), JSON.stringify({ scripts: { build } }));
    await writeFile(join(root, 'src/main.ts'), '');
  });
  afterEach(() => rm(root, { recursive: true }));

  const buildIfStale = () => run(process.execPath, [join(root, 'scripts/build-if-stale.mjs'), 'dist/main.js']);
  const builds = async () => (await readFile(join(root, 'dist/main.js'), 'utf8')).length;

  it('builds what is missing or older than a source, and nothing else', async () => {
    await buildIfStale();
    expect(await builds()).toBe(1);
    await buildIfStale();
    expect(await builds()).toBe(1);
    const later = new Date(Date.now() + 60_000);
    await utimes(join(root, 'src/main.ts'), later, later);
    await buildIfStale();
    expect(await builds()).toBe(2);
  });
});
