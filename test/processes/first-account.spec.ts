import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

import { createAccountFromArguments } from '../../src/commands/account-create.js';
import { Config } from '../../src/config/config.js';
import { ENTITIES } from '../../src/modules/entities.js';
import { CreateAccount } from '../../src/modules/accounts/application/create-account.service.js';
import { Argon2PasswordHasher } from '../../src/modules/accounts/infrastructure/argon2-password-hasher.js';
import { TypeOrmAccountRepository } from '../../src/modules/accounts/infrastructure/typeorm-account.repository.js';
import { TypeOrmUserRepository } from '../../src/modules/accounts/infrastructure/typeorm-user.repository.js';
import { FirstAccountOnStart } from '../../src/modules/accounts/jobs/first-account.on-start.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { PostgresAccountChanges } from '../../src/platform/database/postgres-account-changes.js';
import { Database } from '../../src/platform/database/database.js';
import { SystemClock } from '../../src/platform/system.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startInProcess } from '../support/embedded-postgres-process.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const ARGUMENTS = ['--name', 'Second', '--email', 'grace@example.com', '--password', 'grace password'];
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'ada password', ACCOUNT_NAME: 'First' };

describe('the first start', () => {
  it('creates the account of ADMIN_EMAIL and its admin, once', async () => {
    const service = await TestService.start(ADMIN);
    const { body } = await service
      .request('post', '/api/auth/login')
      .send({ email: 'ada@example.com', password: 'ada password' })
      .expect(200);
    expect(body.user.role).toBe('admin');
    expect(body.account.name).toBe('First');
    await service.app.get(FirstAccountOnStart, { strict: false }).onApplicationBootstrap();
    expect(await service.query('SELECT name, daily_send_cap FROM accounts')).toEqual([
      { name: 'First', daily_send_cap: 1_000 },
    ]);
    await service.stop();
  });

  it('creates none without ADMIN_EMAIL, and explains how to create the first one', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const service = await TestService.start();
    try {
      expect(await service.query('SELECT id FROM accounts')).toEqual([]);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('npm run account:create -- --name'));
      warn.mockClear();
      await service.createAccount();
      await service.app.get(FirstAccountOnStart, { strict: false }).onApplicationBootstrap();
      expect(warn).not.toHaveBeenCalled();
    } finally {
      warn.mockRestore();
      await service.stop();
    }
  });

  describe('of several processes', () => {
    let database: TestDatabase;
    let connections: DataSource[];

    beforeEach(async () => {
      database = await createTestDatabase();
      connections = await Promise.all(
        Array.from({ length: 4 }, () => createDataSource(database.url, ENTITIES, 2).initialize()),
      );
    });
    afterEach(async () => {
      await Promise.all(connections.map((connection) => connection.destroy()));
      await database.drop();
    });

    const services = () =>
      connections.map((connection) => {
        const process = new Database(connection);
        const accounts = new TypeOrmAccountRepository(process, new PostgresAccountChanges(process));
        const users = new TypeOrmUserRepository(process);
        return new CreateAccount(process, accounts, users, new Argon2PasswordHasher(), new SystemClock());
      });
    const first = { name: 'First', email: 'ada@example.com', password: 'ada password' };

    it('creates one account', async () => {
      const created = await Promise.all(services().map((service) => service.createFirst(first)));
      expect(created.filter((account) => account !== null)).toHaveLength(1);
      expect(await connections[0]!.query('SELECT email, role FROM users')).toEqual([
        { email: 'ada@example.com', role: 'admin' },
      ]);
    });

    it('waits for an account that another process is adding, and then creates none', async () => {
      const [other, observer] = connections;
      const adding = other!.createQueryRunner();
      await adding.startTransaction();
      await adding.query(
        "INSERT INTO accounts (id, name, created_at, updated_at) VALUES ('c1', 'Other', now(), now())",
      );
      const created = services()[2]!.createFirst(first);
      await waitFor('the start to wait', async () => {
        const waiting: unknown[] = await observer!.query(
          "SELECT pid FROM pg_locks WHERE NOT granted AND mode ~ 'Share'",
        );
        return waiting.length === 1;
      });
      await adding.commitTransaction();
      await adding.release();
      expect(await created).toBeNull();
      expect(await observer!.query('SELECT name FROM accounts')).toEqual([{ name: 'Other' }]);
    });
  });
});

describe('account:create', () => {
  let service: TestService;
  let target: { databaseUrl: string; dataDir: string };

  beforeAll(async () => {
    service = await TestService.start();
    target = { databaseUrl: service.app.get(Config).databaseUrl, dataDir: '/nowhere' };
  });
  afterAll(() => service.stop());

  it('creates a further account whose admin can sign in', async () => {
    const accountId = await createAccountFromArguments(ARGUMENTS, target);
    const { body } = await service
      .request('post', '/api/auth/login')
      .send({ email: 'grace@example.com', password: 'grace password' })
      .expect(200);
    expect(body.account).toEqual({ id: accountId, name: 'Second' });
    expect(body.user.role).toBe('admin');
  });

  it('accepts the email of a user of another account', async () => {
    const again = ['--name', 'Third', '--email', 'GRACE@example.com', '--password', 'another password'];
    const accountId = await createAccountFromArguments(again, target);
    const { body } = await service
      .request('post', '/api/auth/login')
      .send({ email: 'grace@example.com', password: 'another password' })
      .expect(200);
    expect(body.account).toEqual({ id: accountId, name: 'Third' });
  });

  it.each([
    [[], '--name is required\n--email is required\n--password is required'],
    [['--name', 'A', '--password', 'short'], '--email is required\n--password must have 8 to 200 characters'],
    [['--name', 'A', '--email', 'ada', '--password', 'long enough'], '--email must be an email address'],
    [['--nme', 'A'], "Unknown option '--nme'"],
    [['Acme'], "Unexpected argument 'Acme'"],
  ])('explains what is wrong with %j', async (args, message) => {
    await expect(createAccountFromArguments(args, target)).rejects.toThrow(message);
  });

  describe('without DATABASE_URL', () => {
    let dataDir: string;

    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'first-account-spec-'));
    });
    afterEach(() => rm(dataDir, { recursive: true, force: true }));

    it('uses the embedded PostgreSQL, whether the service runs or not', async () => {
      const embedded = { databaseUrl: undefined, dataDir };
      const accountId = await createAccountFromArguments(ARGUMENTS, embedded);
      const running = await startInProcess({ dataDir: join(dataDir, 'postgres') });
      const further = ['--name', 'Third', '--email', 'third@example.com', '--password', 'third password'];
      const furtherId = await createAccountFromArguments(further, embedded);
      const client = new Client({ connectionString: running.url });
      await client.connect();
      const { rows } = await client.query('SELECT id, name FROM accounts ORDER BY name');
      await client.end();
      await running.stop();
      expect(rows).toEqual([
        { id: accountId, name: 'Second' },
        { id: furtherId, name: 'Third' },
      ]);
    });
  });
});
