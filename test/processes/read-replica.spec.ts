import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { ReadReplica } from '../../src/platform/database/read-replica.js';
import type { TestAccount } from '../support/account.js';
import { TestService } from '../support/service.js';
import { ReplicatedPostgres } from '../support/standby.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

const READS = 200;

const END_READ = `
  SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'delivery-reads' AND wait_event_type = 'Lock'`;

describe('With a replica for reads', () => {
  let postgres: ReplicatedPostgres;
  let proxy: TcpProxy;
  let writer: TestService;
  let reader: TestService;
  let replica: ReadReplica;
  let account: TestAccount;

  const startService = (readUrl: string) => {
    const variables = { ROLE: 'api', DATABASE_URL: postgres.url, DATABASE_READ_URL: readUrl, APP_SECRET };
    return TestService.start(variables, { url: postgres.url });
  };

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start();
    proxy = await TcpProxy.start();
    proxy.target = portOf(postgres.standbyUrl);
    writer = await startService(withPort(postgres.standbyUrl, proxy.port));
    reader = await startService(withPort(postgres.standbyUrl, proxy.port));
    replica = reader.database.replica!;
    account = await writer.createAccount();
    await untilUsed();
  });
  afterAll(async () => {
    await reader.stop();
    await writer.stop();
    proxy.stop();
    await postgres.stop();
  });

  let contacts = 0;
  const addContact = async () => {
    const email = `c${++contacts}@example.com`;
    await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    return email;
  };
  /** As the other process lists it. */
  const newestContact = async () => {
    const { body } = await reader.request('get', '/api/contacts?limit=1', account.memberToken).expect(200);
    return (body.items as { email: string }[])[0]?.email;
  };
  /** Reads until the replica has run one. */
  const untilUsed = async () => {
    const before = replica.reads.replica;
    await waitFor('a read from the replica', async () => {
      await newestContact();
      return replica.reads.replica > before;
    });
  };

  it('shows every write at once, whichever process it went through', async () => {
    const enough = replica.reads.replica + READS;
    const stale: string[] = [];
    while (replica.reads.replica < enough) {
      const email = await addContact();
      if ((await newestContact()) !== email) stale.push(email);
    }
    expect(stale).toEqual([]);
  });

  it('reports what the replica does', async () => {
    await waitFor('a replica without lag', async () => {
      const { text } = await reader.request('get', '/metrics').expect(200);
      expect(text).toMatch(/^database_replica_reads_total\{outcome="replica"\} [1-9]/m);
      return /^database_replica_lag_bytes 0$/m.test(text);
    });
  });

  it('reads from the primary while the replica lags, and logs that once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const before = { ...replica.reads };
    await postgres.onStandby('SELECT pg_wal_replay_pause()');
    try {
      for (let i = 0; i < 5; i++) {
        const email = await addContact();
        expect(await newestContact()).toBe(email);
      }
      expect(replica.reads).toMatchObject({ replica: before.replica, failed: before.failed });
      expect(replica.reads.behind).toBeGreaterThanOrEqual(before.behind + 5);
      expect(warn.mock.calls.filter(([text]) => /replica.*behind/.test(String(text)))).toHaveLength(1);
    } finally {
      await postgres.onStandby('SELECT pg_wal_replay_resume()');
      warn.mockRestore();
    }
    await untilUsed();
  });

  it('reads from the primary what the replica cancels', async () => {
    const email = await addContact();
    const before = { ...replica.reads };
    let isLocked: () => void = () => undefined;
    let release: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => (isLocked = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = writer.hold(async () => {
      await writer.query('LOCK TABLE contacts');
      isLocked();
      await released;
    });
    await locked;
    await writer.query('UPDATE accounts SET name = name'); // flushes the log with the lock in it
    const listed = newestContact();
    await waitFor('the read to wait', async () => (await postgres.onStandby(END_READ)).length > 0);
    release();
    await held;
    expect(await listed).toBe(email);
    expect(replica.reads.failed).toBe(before.failed + 1);
    expect(replica.reads.unavailable).toBe(before.unavailable);
  });

  it('reads from the primary while the replica is away', async () => {
    await postgres.stopStandby();
    proxy.target = null;
    const before = { ...replica.reads };
    const email = await addContact();
    expect(await newestContact()).toBe(email);
    expect(replica.reads.unavailable).toBeGreaterThan(before.unavailable);
    expect(replica.reads.replica).toBe(before.replica);
    await postgres.startStandby();
    proxy.target = portOf(postgres.standbyUrl);
    await untilUsed();
  });

  it('reads from the primary while the replica does not answer', async () => {
    proxy.beSilent();
    const email = await addContact();
    expect(await newestContact()).toBe(email);
    expect(await newestContact()).toBe(email);
    proxy.speak();
    await untilUsed();
  });

  it('reads nothing from a server that is no standby of its own', async () => {
    const stranger = await startService(process.env.TEST_POSTGRES_URL!);
    try {
      const { body } = await stranger.request('get', '/api/contacts?limit=1', account.memberToken).expect(200);
      expect(body.items).toHaveLength(1);
      expect(stranger.database.replica!.reads).toMatchObject({ replica: 0, failed: 0 });
    } finally {
      await stranger.stop();
    }
  });
});

const APP_SECRET = randomBytes(32).toString('hex');

const portOf = (url: string): number => Number(new URL(url).port);

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
