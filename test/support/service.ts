import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';

import { AppModule } from '../../src/app.module.js';
import { readEnvironment } from '../../src/config/env.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { SessionTokens } from '../../src/modules/accounts/application/ports/session-tokens.js';
import { DkimKeyPairs } from '../../src/modules/domains/application/ports/dkim-key-pairs.js';
import { User } from '../../src/modules/accounts/domain/user.js';
import { OutboxPoll } from '../../src/modules/webhooks/jobs/outbox.poll.js';
import { Database } from '../../src/platform/database/database.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { configureApp } from '../../src/platform/http/configure-app.js';
import { newId } from '../../src/shared/ids.js';
import { Clock } from '../../src/shared/ports/clock.js';
import { createTestDatabase } from './database.js';
import { TestAccount } from './account.js';
import { reusedKeyPairs } from './reused-key-pairs.js';
import { TestClock } from './test-clock.js';

/** For a transaction that waits for other calls: the service would end it after a pause. */
export const KEEP_LOCKS = 'idle_in_transaction_session_timeout = 0';

/** The whole service in this process, over real HTTP and a database of its own. */
export class TestService {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly clock: TestClock,
    readonly database: Database,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  /**
   * `variables` as in the environment, for instance `{ SMTP_URL: … }`. Its schedules do not run: a test calls what they
   * call. A second process of one installation gets the database and the APP_SECRET of the first.
   */
  static async start(variables: Record<string, string> = {}, shared?: { url: string }): Promise<TestService> {
    const database = shared ? { url: shared.url, drop: () => Promise.resolve() } : await createTestDatabase();
    const environment = readEnvironment({
      LOG_LEVEL: 'silent',
      APP_SECRET: randomBytes(32).toString('hex'),
      ...variables,
    });
    const config = await resolveConfig(environment, database.url);
    const clock = new TestClock();
    const module = await Test.createTestingModule({ imports: [AppModule.register(config)] })
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(DkimKeyPairs)
      .useValue(reusedKeyPairs)
      .overrideProvider(OutboxPoll)
      .useValue({}) // events stay in the outbox, for a test to see
      .compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureApp(app, config);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new TestService(app, `http://127.0.0.1:${port}`, clock, app.get(Database), () => database.drop());
  }

  async stop(): Promise<void> {
    await this.app.close();
    // Otherwise the service stays in memory: prom-client observes garbage collection for ever, for the registry.
    this.app.get(Metrics, { strict: false }).registry.clear();
    await this.dropDatabase();
  }

  /** A request as a client sends it; `token` is a session. */
  request(method: 'get' | 'post' | 'patch' | 'delete', path: string, token?: string): request.Test {
    const test = request(this.url)[method](path);
    return token === undefined ? test : test.set('Authorization', `Bearer ${token}`);
  }

  query<Row = Record<string, never>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.query<Row>(text, values);
  }

  /** Runs `work` in a transaction that may wait for other calls, and keeps its locks meanwhile. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.database.run(async () => {
      await this.query(`SET LOCAL ${KEEP_LOCKS}`);
      return work();
    });
  }

  /** Does the work while no connection to the database can be had. */
  async withoutDatabase(work: () => Promise<void>): Promise<void> {
    const { pool } = this.database;
    const connect = pool.connect.bind(pool);
    const error = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
    const refuse = (callback?: (error: Error) => void) => {
      if (!callback) return Promise.reject(error);
      callback(error);
      return undefined;
    };
    pool.connect = refuse as typeof connect;
    try {
      await work();
    } finally {
      pool.connect = connect;
    }
  }

  /** An account with an admin and a member, straight in the database. */
  async createAccount({ name = 'Acme', dailySendCap = 1_000 } = {}): Promise<TestAccount> {
    const now = this.clock.now();
    const accountId = newId(now);
    await this.query(
      `INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
      [accountId, name, dailySendCap, now],
    );
    const tokens = this.app.get(SessionTokens, { strict: false });
    const signIn = async (role: 'admin' | 'member') => {
      const id = newId(now);
      const email = `${role}-${id}@example.com`;
      const user = User.register(id, { accountId, email, passwordHash: 'none', role }, now);
      await this.database.manager.insert(User, user);
      return tokens.issue({ sub: id, accountId, role, stamp: user.sessionStamp });
    };
    return new TestAccount(this, accountId, await signIn('admin'), await signIn('member'));
  }
}
