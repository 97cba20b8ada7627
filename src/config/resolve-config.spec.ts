import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { readEnvironment } from './env.js';
import { resolveConfig } from './resolve-config.js';

describe('The generated secret', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'config-'));
    dataDir = join(parent, 'data');
  });
  afterEach(() => rm(parent, { recursive: true }));

  const secret = async () =>
    (await resolveConfig(readEnvironment({ DATA_DIR: dataDir }), 'postgres://localhost/x')).appSecret;

  it('is the same for processes that start together and for later ones', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, secret));
    expect(new Set([...secrets, await secret()]).size).toBe(1);
    expect(secrets[0]).toHaveLength(43);
  });

  it('leaves a single file, readable by nobody else', async () => {
    const text = await secret();
    expect(await readdir(dataDir)).toEqual(['app-secret']);
    expect(await readFile(join(dataDir, 'app-secret'), 'utf8')).toBe(text);
    expect((await stat(join(dataDir, 'app-secret'))).mode & 0o777).toBe(0o600);
  });

  it('is not replaced if its file is damaged', async () => {
    await secret();
    await writeFile(join(dataDir, 'app-secret'), 'short');
    await expect(secret()).rejects.toThrow(/app-secret does not hold a secret/);
    expect(await readFile(join(dataDir, 'app-secret'), 'utf8')).toBe('short');
  });
});
