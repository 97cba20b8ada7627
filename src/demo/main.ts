import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { openDataDirectory, startEmbeddedPostgres, tryLock } from '../../packages/embedded-postgres/src/index.js';
import { type Config, DEFAULT_PORT } from '../config/config.js';
import { readEnvironment, setVariables } from '../config/env.js';
import { resolveConfig } from '../config/resolve-config.js';
import { fillOnce } from './fill-once.js';
import { freePort, thisPort } from './free-port.js';
import { ACCOUNT_NAME, SENDER } from './history/company.js';
import { Inbox } from './inbox.js';
import { HOOKS, serveInbox } from './inbox-page.js';
import { RelayReports } from './relay-reports.js';
import { DEMO_ADMIN, type FirstMail, sendFirstMail, signIn } from './walkthrough.js';

/** A crash of the machine may lose the last moments of a demo. */
const POSTGRES_SETTINGS = { synchronous_commit: 'off' };

/** The other variables would make it another service than the one that it shows. Many shells set NODE_ENV. */
const EXPECTED = ['PORT', 'NODE_ENV'];

const print = (line = ''): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const options = { once: { type: 'boolean', default: false }, empty: { type: 'boolean', default: false } } as const;
  const { once, empty } = parseArgs({ options }).values;
  const { dir, locks } = await openDataDirectory(resolve(empty ? '.data/demo-empty' : '.data/demo'));
  if (!(await tryLock(locks.owner))) throw new Error(`A demo already runs in ${dir}. Stop it, or use it.`);
  const ignored = Object.keys(setVariables()).filter((name) => !EXPECTED.includes(name));
  if (ignored.length > 0) warn(`The demo ignores ${ignored.join(', ')}. npm start reads them.`);
  const demo = await startDemo(dir, empty);
  try {
    const first = await demo.sendFirstMail();
    printTimeline(first);
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
  sendFirstMail: () => Promise<FirstMail>;
  stop: () => Promise<void>;
}

/** The resources to stop, in reverse order. */
class Started {
  private readonly stops: (() => Promise<void> | void)[] = [];

  add(stop: () => Promise<void> | void): void {
    this.stops.push(stop);
  }

  stop = async (): Promise<void> => {
    for (const stop of this.stops.splice(0).reverse()) await stop();
  };
}

async function startDemo(dataDir: string, isEmpty: boolean): Promise<Demo> {
  const started = new Started();
  try {
    return await start(dataDir, isEmpty, started);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/** Starts PostgreSQL, the service with its workers, and an SMTP server that keeps the mail, all on this machine. */
async function start(dataDir: string, isEmpty: boolean, started: Started): Promise<Demo> {
  print('Starting PostgreSQL, the service and a local inbox …');
  const starting = startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), settings: POSTGRES_SETTINGS });
  const loading = import('./start-service.js'); // takes a second, in which PostgreSQL starts
  const postgres = await starting;
  started.add(() => postgres.stop());
  const { fillAccount, startWithInbox } = await loading;
  const inbox = new Inbox();
  await inbox.listen();
  started.add(() => inbox.close());
  const port = await choosePort();
  const page = await serveInbox(inbox, await freePort(port + 1));
  started.add(() => {
    page.close();
    page.closeAllConnections();
  });
  const { port: inboxPort } = page.address() as { port: number };
  const [url, inboxUrl] = [`http://localhost:${port}`, `http://localhost:${inboxPort}`];

  const config = await configure({ port, dataDir, smtpUrl: `smtp://127.0.0.1:${inbox.port}` }, postgres.url);
  const webhookUrls = { accepting: inboxUrl + HOOKS.accepting, refusing: inboxUrl + HOOKS.refusing };
  if (!isEmpty)
    await fillOnce(dataDir, postgres.url, () => fillAccount({ config, admin: DEMO_ADMIN, inbox, webhookUrls }));
  const service = await startWithInbox(config, inbox);
  started.add(() => service.close());

  const login = await signIn(url);
  const reports = new RelayReports(url, login.account.id, warn);
  reports.follow(inbox);
  started.add(() => reports.stop());
  const keyFile = join(dataDir, 'api-key');
  return { url, inboxUrl, stop: started.stop, sendFirstMail: () => sendFirstMail(login, { url, inbox, keyFile }) };
}

/** That of the variable PORT, or one that is free. */
function choosePort(): Promise<number> {
  const { PORT } = setVariables();
  const port = readEnvironment({ PORT }).port ?? DEFAULT_PORT;
  return PORT === undefined ? freePort(port) : thisPort(port);
}

function configure(own: { port: number; dataDir: string; smtpUrl: string }, databaseUrl: string): Promise<Config> {
  const variables = { LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', SMTP_ALLOW_PRIVATE_NETWORKS: 'true' };
  const admin = { ...DEMO_ADMIN, accountName: ACCOUNT_NAME };
  return resolveConfig({ ...readEnvironment(variables), ...own, host: '127.0.0.1', admin }, databaseUrl);
}

function printTimeline({ mail, message }: FirstMail): void {
  print(`\nThe mail "${mail.parsed.subject ?? ''}" for ${mail.envelopeTo.join(', ')} arrived. Its timeline:`);
  for (const { type, occurredAt, data } of message.events) print(`  ${occurredAt}  ${type}  ${JSON.stringify(data)}`);
  print(`  status: ${message.status}`);
  if (!['sent', 'delivered'].includes(message.status)) throw new Error(`The message ended as ${message.status}`);
}

function printInstructions({ url, inboxUrl }: Demo, { secret }: FirstMail): void {
  print(`
Three things to try next:

1. Send a mail:
  curl ${url}/api/send/transactional -H 'X-API-Key: ${secret}' -H 'Content-Type: application/json' \\
    -d '{"to":"you@example.org","fromEmail":"${SENDER}","subject":"Hello","text":"Sent with curl."}'

2. Look at what becomes of it, and at a newsletter that is going out:
  ${url}   the dashboard; sign in as ${DEMO_ADMIN.email} with the password ${DEMO_ADMIN.password}

3. Read the mails as their recipients would:
  ${inboxUrl}   the inbox: the newest mails that this demo sends

The API is described here:
  ${url}/docs

No mail leaves this machine. Ctrl-C stops everything.`);
}

function stopOnSignal(stop: () => Promise<void>): void {
  const onSignal = () => {
    stop().then(() => process.exit(0), fail);
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
}

function fail(error: unknown): never {
  warn(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

main().catch(fail);
