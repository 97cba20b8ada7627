import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { TlsFiles } from './tls-files.js';

describe('The files of a certificate', () => {
  let directory: string;
  let files: TlsFiles;
  const events: string[] = [];
  const check = () =>
    files.check(
      () => events.push('used'),
      ({ message }) => events.push(message.slice(0, 6)),
    );

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tls-files-'));
    files = new TlsFiles({ cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') });
    events.length = 0;
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('are reported once while they are missing, or no certificate', async () => {
    for (let i = 0; i < 3; i++) await check();
    expect(events).toEqual(['ENOENT']);
    for (const name of ['cert.pem', 'key.pem']) writeFileSync(join(directory, name), 'no certificate');
    for (let i = 0; i < 3; i++) await check();
    expect(events).toEqual(['ENOENT', 'SMTP_T']);
    rmSync(join(directory, 'key.pem'));
    for (let i = 0; i < 3; i++) await check();
    expect(events).toEqual(['ENOENT', 'SMTP_T', 'ENOENT']);
  });
});
