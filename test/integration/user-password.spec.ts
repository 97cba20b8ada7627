import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { createAccountFromArguments } from '../../src/account-create-command.js';
import { Config } from '../../src/config/config.js';
import { resetPasswordFromArguments } from '../../src/user-password-command.js';
import { TestService } from '../support/service.js';

jest.setTimeout(60_000);

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

  it('sets the password, ends the sessions of the user and forgets the failures', async () => {
    const { body } = await login(FORGOTTEN).expect(200);
    for (let n = 0; n < 10; n++) await login(`guess ${n}`).expect(401);
    await login(FORGOTTEN).expect(429);
    expect(await reset(['--email', ' ADA@example.com', '--password', NEW])).toContain(EMAIL);
    await service.request('get', '/api/auth/me', body.accessToken).expect(401);
    await login(FORGOTTEN).expect(401);
    await login(NEW).expect(200);
  });

  it('takes the password from standard input', async () => {
    const file = fileURLToPath(new URL('../../dist/src/user-password.js', import.meta.url));
    const child = run(process.execPath, [file, '--email', EMAIL], {
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
  ])('says what is wrong with %j', async (args, typed, message) => {
    await expect(reset(args, typed)).rejects.toThrow(message);
  });

  it('and account:create explain themselves without a database', async () => {
    const nowhere = { databaseUrl: 'postgres://localhost:1/nothing', dataDir: '/nowhere' };
    const never = () => Promise.reject(new Error('asked for a password'));
    expect(await resetPasswordFromArguments(['--help'], nowhere, never)).toContain('--email');
    expect(await createAccountFromArguments(['--help'], nowhere)).toContain('--name');
  });

  it.each(['account:create', 'user:password'])('%s does not build what is built', async (script) => {
    const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
    expect(existsSync(built)).toBe(true);
    const before = statSync(built).mtimeMs;
    const { stdout } = await run('npm', ['run', '--silent', script, '--', '--help'], { cwd: ROOT });
    expect(stdout).toContain(`npm run ${script} --`);
    expect(statSync(built).mtimeMs).toBe(before);
  });
});
