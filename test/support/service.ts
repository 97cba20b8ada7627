import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';

import { AppModule } from '../../src/app.module.js';
import { readEnvironment } from '../../src/config/env.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { SessionTokens } from '../../src/modules/accounts/application/ports/session-tokens.js';
import { DkimKeyPairs } from '../../src/modules/domains/application/dkim-key-pairs.js';
import { User } from '../../src/modules/accounts/domain/user.js';
import { ScheduledMessagesPoll } from '../../src/modules/messages/jobs/scheduled-messages.poll.js';
import { OutboxPoll } from '../../src/modules/webhooks/jobs/outbox.poll.js';
import { Database } from '../../src/platform/database/database.js';
import { configureApp } from '../../src/platform/http/configure-app.js';
import { newId } from '../../src/shared/ids.js';
import { Clock } from '../../src/shared/ports/clock.js';
import { createTestDatabase } from './database.js';
import { TestAccount } from './account.js';
import { PATIENT } from './patient.js';
import { reusedKeyPairs } from './reused-key-pairs.js';
import { TestClock } from './test-clock.js';

/** For a transaction that waits for other calls: the service would end it after a pause. */
export const KEEP_LOCKS = 'idle_in_transaction_session_timeout = 0';

/** What the files of this worker share. */
let shared: Promise<TestService> | undefined;

/** The whole service in this process, over real HTTP. */
export class TestService {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly clock: TestClock,
    readonly database: Database,
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * One without workers that the files of a Jest worker share, so a test creates its own account and sees the rows of
   * that alone. Files that need variables, locks on whole tables or a broken database start one of their own.
   */
  static async shared(): Promise<TestService> {
    shared ??= TestService.start({ ROLE: 'api' });
    const { app, url, clock, database } = await shared;
    return new TestService(app, url, clock, database, async () => {
      clock.reset();
    });
  }

  /**
   * One with a database of its own. `variables` as in the environment, for instance `{ SMTP_URL: … }`. Unless it has
   * `schedules`, they do not run: a test calls what they call. A second process of one installation gets the database
   * and the APP_SECRET of the first.
   */
  static async start(
    variables: Record<string, string> = {},
    shared?: { url: string },
    { schedules = false } = {},
  ): Promise<TestService> {
    const database = shared ? { url: shared.url, drop: () => Promise.resolve() } : await createTestDatabase();
    const environment = readEnvironment({
      LOG_LEVEL: 'silent',
      APP_SECRET: randomBytes(32).toString('hex'),
      ...PATIENT,
      ...variables,
    });
    const config = await resolveConfig(environment, database.url);
    const clock = new TestClock();
    const module = await Test.createTestingModule({ imports: [AppModule.register(config)] })
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(DkimKeyPairs)
      .useValue(reusedKeyPairs)
      .overrideProvider('SCHEDULE_MODULE_OPTIONS') // of @nestjs/schedule, which does not export its token
      .useValue({ cronJobs: schedules, intervals: true, timeouts: true })
      .overrideProvider(OutboxPoll)
      .useValue({}) // events stay in the outbox, for a test to see
      .compile();
    if (!schedules) module.get(ScheduledMessagesPoll, { strict: false }).onModuleDestroy(); // a test calls `release`
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureApp(app, config);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return new TestService(app, url, clock, app.get(Database), async () => {
      await app.close();
      await database.drop();
    });
  }

  stop(): Promise<void> {
    return this.end();
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

// For the end of a run whose files ran in the process of Jest itself.
Object.assign(globalThis, { stopSharedService: async () => (await shared)?.stop() });
