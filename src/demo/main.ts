import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { readEnvironment } from '../config/env.js';
import { resolveConfig } from '../config/resolve-config.js';
import { tryLock } from '../platform/embedded-postgres/crash-released-lock.js';
import { openDataDirectory } from '../platform/embedded-postgres/data-directory.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { startService } from '../service.js';
import { DemoInboxModule } from './demo-inbox.module.js';
import { freePort } from './free-port.js';
import { Inbox } from './inbox.js';
import { serveInbox } from './inbox-page.js';
import { DEMO_ADMIN, DEMO_SENDER, type FirstMail, sendFirstMail } from './walkthrough.js';

const DATA_DIR = resolve('.data/demo');

const print = (line = ''): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { once } = parseArgs({ options: { once: { type: 'boolean', default: false } } }).values;
  const { dir, locks } = await openDataDirectory(DATA_DIR);
  if (!(await tryLock(locks.owner))) throw new Error(`A demo already runs in ${dir}. Stop it, or use it.`);
  const demo = await startDemo();
  try {
    const first = await sendFirstMail(demo.url, demo.inbox);
    printTimeline(first);
    if (first.message.status !== 'sent') throw new Error(`The message ended as ${first.message.status}`);
    if (once) {
      await demo.stop();
      process.exit(0);
    }
    printInstructions(demo, first);
    stopOnSignal(demo.stop);
  } catch (error) {
    await demo.stop();
    throw error;
  }
}

interface Demo {
  url: string;
  inboxUrl: string;
  inbox: Inbox;
  stop: () => Promise<void>;
}

/** Starts PostgreSQL, the service with its workers, and an SMTP server that keeps the mail, all on this machine. */
async function startDemo(): Promise<Demo> {
  print('Starting PostgreSQL, the service and a local inbox …');
  const postgres = await startEmbeddedPostgres({ dataDir: join(DATA_DIR, 'postgres') });
  const inbox = new Inbox();
  const smtpUrl = await inbox.listen();
  const port = await freePort(3000);
  const environment = {
    ...readEnvironment({ LOG_LEVEL: 'warn' }),
    smtpUrl,
    port,
    host: '127.0.0.1',
    dataDir: DATA_DIR,
    admin: DEMO_ADMIN,
  };
  const config = await resolveConfig(environment, postgres.url);
  const service = await startService(config, { inbox: DemoInboxModule.of(inbox) }).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const page = await serveInbox(inbox, await freePort(port + 1));
  const { port: inboxPort } = page.address() as { port: number };
  return {
    url: `http://localhost:${port}`,
    inboxUrl: `http://localhost:${inboxPort}`,
    inbox,
    stop: async () => {
      page.close();
      page.closeAllConnections();
      await service.close();
      await inbox.close();
      await postgres.stop();
    },
  };
}

function printTimeline({ mail, message }: FirstMail): void {
  print(`\nThe mail "${mail.parsed.subject ?? ''}" for ${mail.envelopeTo.join(', ')} arrived. Its timeline:`);
  for (const { type, occurredAt, data } of message.events) print(`  ${occurredAt}  ${type}  ${JSON.stringify(data)}`);
  print(`  status: ${message.status}`);
}

function printInstructions({ url, inboxUrl }: Demo, { secret }: FirstMail): void {
  print(`
Open
  ${url}   the dashboard; sign in as ${DEMO_ADMIN.email} with the password ${DEMO_ADMIN.password}
  ${inboxUrl}   the inbox: every mail that this demo sends, also in the dashboard
  ${url}/docs   the API

Send one yourself:
  curl ${url}/api/send/transactional -H 'X-API-Key: ${secret}' -H 'Content-Type: application/json' \\
    -d '{"to":"you@example.org","fromEmail":"${DEMO_SENDER}","subject":"Hello","text":"Sent with curl."}'

Ctrl-C stops everything.`);
}

function stopOnSignal(stop: () => Promise<void>): void {
  const onSignal = () => {
    stop().then(() => process.exit(0), fail);
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
