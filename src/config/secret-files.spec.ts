import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type ConfigurationError, readEnvironment, VARIABLES } from './env.js';

const SECRET = 'a secret of the tests, of thirty-two characters and more';

describe('Secrets in files', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'secret-files-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const file = (content: string): string => {
    const path = join(directory, `secret-${Math.random()}`);
    writeFileSync(path, content);
    return path;
  };
  const faultsOf = (variables: Record<string, string>): string[] => {
    try {
      readEnvironment(variables);
    } catch (error) {
      return (error as ConfigurationError).message.split('\n').slice(1);
    }
    return [];
  };

  it.each([
    ['APP_SECRET', SECRET, 'appSecret'],
    ['APP_SECRET_PREVIOUS', SECRET, 'appSecretPrevious'],
    ['DATABASE_URL', 'postgres://service:p@db/service', 'databaseUrl'],
    ['REDIS_URL', 'redis://:p@queue:6379', 'redisUrl'],
    ['SMTP_URL', 'smtp://user:p@relay:587', 'smtpUrl'],
  ] as const)('reads %s without the line break that an editor adds', (name, value, field) => {
    for (const end of ['', '\n', '\r\n']) {
      expect(readEnvironment({ [`${name}_FILE`]: file(value + end) })[field]).toBe(value);
    }
  });

  it('reads the password of the first admin and the URL of the standby', () => {
    const environment = readEnvironment({
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD_FILE: file(' a password with spaces \n'),
      DATABASE_URL: 'postgres://primary/x',
      DATABASE_READ_URL_FILE: file('postgres://standby/x\n'),
    });
    expect(environment.admin?.password).toBe(' a password with spaces ');
    expect(environment.databaseReadUrl).toBe('postgres://standby/x');
  });

  it('knows the file of every variable whose value may hold a secret', () => {
    const secret = VARIABLES.filter((name) => /SECRET|PASSWORD|TOKEN|(?:DATABASE|READ|REDIS|SMTP)_URL/.test(name));
    const values = secret.filter((name) => !name.endsWith('_FILE'));
    expect(secret.filter((name) => name.endsWith('_FILE')).sort()).toEqual(values.map((name) => `${name}_FILE`).sort());
  });

  it('refuses a secret that is given twice, with both names', () => {
    expect(faultsOf({ APP_SECRET: SECRET, APP_SECRET_FILE: file(SECRET) })).toEqual([
      '  APP_SECRET_FILE: and APP_SECRET are both set: use one of them',
    ]);
    expect(faultsOf({ APP_SECRET: '', APP_SECRET_FILE: file(SECRET) })).toEqual([]);
  });

  it('names the variable and the path of a file that cannot be read or is empty, and reports nothing that follows', () => {
    const missing = join(directory, 'missing');
    const empty = file('\n');
    const production = { NODE_ENV: 'production', TRUSTED_PROXIES: 'any', DATABASE_URL: 'postgres://db/x' };
    expect(faultsOf({ ...production, APP_SECRET_FILE: missing })).toEqual([
      `  APP_SECRET_FILE: ${missing} cannot be read (ENOENT)`,
    ]);
    expect(faultsOf({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD_FILE: directory })).toEqual([
      `  ADMIN_PASSWORD_FILE: ${directory} cannot be read (EISDIR)`,
    ]);
    expect(faultsOf({ SMTP_URL_FILE: empty })).toEqual([`  SMTP_URL_FILE: ${empty} is empty`]);
  });

  it('checks what a file contains as if it were the variable, and repeats nothing of it', () => {
    expect(faultsOf({ APP_SECRET_FILE: file('too-short-to-use') })).toEqual([
      '  APP_SECRET: must have at least 32 characters',
    ]);
    const [fault] = faultsOf({ DATABASE_URL_FILE: file('mysql://user:hidden-word@db/x') });
    expect(fault).toMatch(/^ {2}DATABASE_URL: must be a URL/);
    expect(fault).not.toContain('hidden-word');
  });
});
