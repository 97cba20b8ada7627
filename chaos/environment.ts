import { join } from 'node:path';

import { ADMIN, type ChaosAccounts, openAccounts } from './accounts.js';
import { ask, Clients, exchangeOf } from './clients.js';
import { ChaosDatabase } from './database.js';
import { AnswerRecords } from './evidence/answers.js';
import { expectedCappedSends } from './load.js';
import type { Options } from './options.js';
import type { Span } from './evidence/spans.js';
import { watchOverloads } from './overloads.js';
import { Processes, type Service } from './processes.js';
import { Aws } from './providers/aws.js';
import { Relay } from './providers/relay.js';
import { WebhookReceiver } from './providers/webhook-receiver.js';
import { ChaosRedis } from './redis.js';
import type { Teardown } from './teardown.js';

export interface Endpoint {
  id: string;
  accountId: string;
}

/** The service as real processes, and everything around it, on this machine. */
export interface Environment {
  /** Has the logs of the processes. */
  dir: string;
  /** `Date.now()` before anything was observed. */
  startedAt: number;
  database: ChaosDatabase;
  redis: ChaosRedis | null;
  relay: Relay;
  aws: Aws;
  receiver: WebhookReceiver;
  endpoints: Endpoint[];
  processes: Processes;
  accounts: ChaosAccounts;
  clients: Clients;
  answers: AnswerRecords;
  /** When the machine was overloaded. */
  overloads: Span[];
}

const POOL_SIZE = '10';
/** As long as a read waits. The service's own 1.5 s end while four processes that have just started share two cores. */
const CONNECT_TIMEOUT_MS = '10000';
const SECRET = 'a secret for chaos, which has more than 32 characters';

export async function startEnvironment(
  options: Options,
  service: Service,
  dir: string,
  teardown: Teardown,
): Promise<Environment> {
  const startedAt = Date.now();
  const database = await ChaosDatabase.start(join(dir, 'postgres'), teardown);
  const redis = options.queue === 'redis' ? await ChaosRedis.start(teardown) : null;
  const relay = await Relay.start();
  teardown.add(() => relay.stop());
  const aws = await Aws.start();
  teardown.add(() => aws.stop());
  const receiver = await WebhookReceiver.start();
  teardown.add(() => receiver.stop());
  const variables = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: POOL_SIZE,
    DATABASE_CONNECT_TIMEOUT_MS: CONNECT_TIMEOUT_MS,
    DATA_DIR: dir,
    APP_SECRET: SECRET,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    AWS_ENDPOINT_URL_SESV2: aws.url,
    AWS_ENDPOINT_URL_SNS: aws.url,
    SNS_SIGNING_CERT_HOSTS: '127.0.0.1',
    SMS_SYNC_PAGES_PER_SECOND: '1000',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    LOG_LEVEL: 'warn',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const processes = await Processes.start(service, variables, dir, teardown);
  for (const provider of [relay, aws]) provider.workerAt = (port) => processes.workerAt(port);
  const [url = ''] = processes.apiUrls;
  const accounts = await openAccounts(database, url, relay.port, expectedCappedSends(options));
  const endpoints = await openEndpoints(accounts, url, receiver);
  const answers = new AnswerRecords(startedAt);
  const clients = new Clients(processes.apiUrls, answers);
  teardown.add(() => clients.close());
  return {
    dir,
    startedAt,
    database,
    redis,
    relay,
    aws,
    receiver,
    endpoints,
    processes,
    accounts,
    clients,
    answers,
    overloads: watchOverloads(teardown),
  };
}

/** Opens two endpoints of one account and one of another. */
async function openEndpoints(accounts: ChaosAccounts, url: string, receiver: WebhookReceiver): Promise<Endpoint[]> {
  const events = ['contact.suppressed', 'contact.bounced', 'contact.complained'];
  const endpoints: Endpoint[] = [];
  for (const [i, account] of [accounts.smtp, accounts.smtp, accounts.aws].entries()) {
    const path = `/hook-${i}`;
    const exchange = exchangeOf('POST', '/api/webhooks', account.session, { url: receiver.url + path, events });
    const { id, signingSecret } = await ask<{ id: string; signingSecret: string }>(url, exchange);
    receiver.trust(path, { id, secret: signingSecret });
    endpoints.push({ id, accountId: account.id });
  }
  return endpoints;
}
