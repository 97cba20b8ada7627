import { join } from 'node:path';

import { FakeAws } from '../test/support/fake-aws/fake-aws.js';
import { SmtpSink } from '../test/support/smtp-sink.js';
import { TcpProxy } from '../test/support/tcp-proxy.js';
import { WebhookReceiverServer } from '../test/support/webhook-receiver-server.js';
import { ADMIN, ask, type ChaosAccounts, openAccounts } from './accounts.js';
import { Clients } from './clients.js';
import { Crew } from './crew.js';
import { ChaosDatabase } from './database.js';
import type { Options } from './options.js';
import { cappedSends } from './load.js';
import { ChaosRedis } from './redis.js';
import type { Teardown } from './teardown.js';

export interface Endpoint {
  id: string;
  accountId: string;
  path: string;
}

/** A provider and the address that its connections go through. */
export interface Reached<Server> {
  server: Server;
  proxy: TcpProxy;
  port: number;
}

/** The whole service as real processes, and everything around it, all on this machine. */
export interface Stage {
  /** Holds the logs of the processes. */
  dir: string;
  database: ChaosDatabase;
  redis: ChaosRedis | null;
  relay: Reached<SmtpSink>;
  ses: Reached<FakeAws>;
  receiver: WebhookReceiverServer;
  endpoints: Endpoint[];
  crew: Crew;
  accounts: ChaosAccounts;
  clients: Clients;
}

const POOL_SIZE = '10';
const SECRET = 'a secret for chaos, which has more than 32 characters';

export async function setStage({ queue, seconds }: Options, dir: string, teardown: Teardown): Promise<Stage> {
  const database = await ChaosDatabase.start(join(dir, 'postgres'), teardown);
  const redis = queue === 'redis' ? await ChaosRedis.start(teardown) : null;
  const relay = await reach(await SmtpSink.start(), ({ port }) => port, teardown);
  const ses = await reach(await FakeAws.start(), ({ url }) => Number(new URL(url).port), teardown);
  const receiver = await WebhookReceiverServer.start({});
  const variables = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: POOL_SIZE,
    DATA_DIR: dir,
    APP_SECRET: SECRET,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    AWS_ENDPOINT_URL_SESV2: `http://127.0.0.1:${ses.proxy.port}`,
    SNS_SIGNING_CERT_HOSTS: '127.0.0.1',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const crew = await Crew.start(variables, dir, teardown);
  const [url = ''] = crew.apiUrls;
  const accounts = await openAccounts(database, url, relay.proxy.port, cappedSends(seconds));
  const endpoints = await openEndpoints(accounts, url, receiver);
  return { dir, database, redis, relay, ses, receiver, endpoints, crew, accounts, clients: new Clients(crew.apiUrls) };
}

async function reach<Server extends { stop(): Promise<void> }>(
  server: Server,
  portOf: (server: Server) => number,
  teardown: Teardown,
): Promise<Reached<Server>> {
  teardown.add(() => server.stop());
  const proxy = await TcpProxy.start();
  const port = portOf(server);
  proxy.target = port;
  teardown.add(() => {
    proxy.stop();
    return undefined;
  });
  return { server, proxy, port };
}

/** Two of one account, one of another. */
async function openEndpoints(
  { smtp, ses }: ChaosAccounts,
  url: string,
  receiver: WebhookReceiverServer,
): Promise<Endpoint[]> {
  const events = ['contact.suppressed', 'contact.bounced', 'contact.complained'];
  const endpoints: Endpoint[] = [];
  for (const [i, account] of [smtp, smtp, ses].entries()) {
    const path = `/hook-${i}`;
    const body = { url: `http://127.0.0.1:${receiver.port}${path}`, events };
    const made = await ask<{ id: string; signingSecret: string }>(url, 'POST', '/api/webhooks', account.session, body);
    receiver.reply({ ask: 'trust', path, secrets: { current: made.signingSecret } });
    endpoints.push({ id: made.id, accountId: account.id, path });
  }
  return endpoints;
}
