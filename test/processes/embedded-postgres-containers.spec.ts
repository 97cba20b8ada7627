import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { findPostmaster } from '../../packages/embedded-postgres/src/postmaster.js';
import { onServer } from '../support/database.js';
import { startInProcess } from '../support/embedded-postgres-process.js';

const onlyAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-containers-spec-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts, lets `work` use the server, stops. */
async function during(work: (url: string) => Promise<void>): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  try {
    await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

const expectAnswer = async (url: string) => {
  expect(await onServer(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
};

const pidFile = () => readFile(join(dataDir, 'cluster/postmaster.pid'), 'utf8');

/** What sees neither the processes nor the locks of the others. `sh` ends with what it starts. */
const CONTAINER = ['unshare', '--pid', '--net', '--fork', '--kill-child', '--mount-proc'];
const IN_CONTAINER = [...CONTAINER, 'sh', '-c', 'ip link set lo up && "$@"', 'sh'];

it('does not keep a server whose directory another container has taken during the start', async () => {
  const log = (line: string) => {
    if (line.startsWith('Started PostgreSQL')) writeFileSync(join(dataDir, 'owner.lock'), 'of the other container');
  };
  const started = startEmbeddedPostgres({ dataDir, durable: false, log });
  await expect(started).rejects.toThrow('Another container has taken over');
  expect(await findPostmaster(join(dataDir, 'cluster'))).toBeNull();
  expect(await readFile(join(dataDir, 'owner.lock'), 'utf8')).toBe('of the other container');
});

onlyAsRoot('in another container', () => {
  it('is refused while a server runs, and leaves that alone', async () => {
    await during(async (url) => {
      const before = await pidFile();
      const runsElsewhere = /Another container or host \(.*\) runs the PostgreSQL of this directory/;
      await expect(startInProcess({ dataDir }, undefined, IN_CONTAINER)).rejects.toThrow(runsElsewhere);
      const sharingTheNetwork = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
      await expect(startInProcess({ dataDir }, undefined, sharingTheNetwork)).rejects.toThrow('still runs');
      expect(await pidFile()).toBe(before);
      await expectAnswer(url);
    });
  });

  it('takes over the directory of a container that was killed', async () => {
    const killed = await startInProcess({ dataDir }, undefined, IN_CONTAINER);
    await killed.kill();
    expect(await readdir(dataDir)).toContain('owner.lock');
    await during(expectAnswer);
    expect(await readdir(dataDir)).not.toContain('owner.lock');
  });
});
