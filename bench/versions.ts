import type { ChildProcess } from 'node:child_process';

import { startCampaign } from './campaigns.js';
import { BATCH, importBatch, people, perSecond as importsPerSecond } from './contacts.js';
import { type Mails, rateOf } from './deliver.js';
import { addMessages } from './events.js';
import { chunk } from '../src/shared/collections.js';
import { ADMIN_VARIABLES, type AdminAccount, openAdminAccount } from './support/admin-account.js';
import { type BenchDatabase, startDatabase, useEmailProvider } from './support/environment.js';
import { bodyWithAttachment, postBodies, postEmailCount, postEmails } from './support/load.js';
import { cpuSeconds, nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { inTurns, median, type Row } from './support/report.js';
import { seedAudience } from './support/seed-audience.js';
import { postAll, SesPosts } from './support/ses-posts.js';

const [OURS_PORT, OTHER_PORT] = [41_771, 41_772];
const POOL_SIZE = '20';
const ROUNDS = 8;
const SECONDS = 4;
const MAILS = { messages: 5_000, warmUp: 2_000 };
const LARGE_MAILS = { messages: 1_200, warmUp: 300 };
const EVENTS = 4_000;
const CONTACTS = 20_000;
const BYTES = 100_000;
const AIM = '≥ 0.97';

interface Measured {
  perSecond: number;
  cpuMs: number;
}
type Measure = (version: Version) => Promise<Measured>;

/**
 * This version and the built one in another folder (`--other=../delivery-before`), each on a database of its own, in
 * turns of a few seconds: what else happens on the machine, and how fast it is at the time, is the same for both. The
 * processor time of the process is steadier than its throughput. `--only=deliver,events` measures only these.
 */
export async function benchVersions(): Promise<Row[]> {
  const folder = argument('other');
  if (folder === undefined) {
    process.stderr.write('Nothing to compare with: --other=<folder of a built version>\n');
    return [];
  }
  const sink = startProgram('.bench/bench/programs/smtp-sink.js', { LATENCY_MS: '0' });
  const ses = startProgram('.bench/bench/programs/fake-ses.js');
  const posts = await SesPosts.start();
  const versions: Version[] = [];
  try {
    const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
    const env = {
      SMTP_URL: smtpUrl,
      AWS_ENDPOINT_URL_SESV2: `http://127.0.0.1:${(await nextMessage<{ port: number }>(ses)).port}`,
    };
    versions.push(await Version.start(undefined, OURS_PORT, env), await Version.start(folder, OTHER_PORT, env));
    ses.send({ latencyMs: 0, maxSendRate: 100_000 });
    const withFile = bodyWithAttachment(BYTES);
    const measures: Record<string, Measure> = {
      // First, while nothing else waits to be delivered.
      deliver: (version) => version.deliver(sink, MAILS, () => version.post(MAILS)),
      'deliver with 100 kB': (version) =>
        version.deliver(sink, LARGE_MAILS, () => version.postAll(withFile, LARGE_MAILS)),
      campaign: (version) => version.deliver(sink, MAILS, () => version.startCampaign()),
      'deliver to SES': (version) => version.deliverToSes(ses),
      events: (version) => version.receiveEvents(posts),
      contacts: (version) => version.importContacts(),
      'accept, 64 connections': (version) => version.accept((url, key) => postEmails(url, key, SECONDS)),
      'accept, one connection': (version) => version.accept((url, key) => postEmails(url, key, SECONDS, 1)),
      'accept with 100 kB': (version) =>
        version.accept((url, key) => postBodies(url, key, withFile, { duration: SECONDS })),
    };
    const only = argument('only')?.split(',');
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(measures))
      if (!only || only.some((part) => name.startsWith(part))) rows.push(...(await compare(name, versions, measure)));
    return rows;
  } finally {
    for (const version of versions) await version.stop();
    await posts.stop();
    await stop(ses, 'SIGKILL');
    await stop(sink, 'SIGKILL');
  }
}

const argument = (name: string): string | undefined =>
  process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3);

async function compare(name: string, versions: readonly Version[], measure: Measure): Promise<Row[]> {
  process.stderr.write(`  ${name} …\n`);
  const rounds: [ours: Measured, other: Measured][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = new Map<Version, Measured>();
    for (const version of inTurns(round, versions)) measured.set(version, await measure(version));
    const [ours, other] = versions.map((version) => measured.get(version)!);
    if (round > 0) rounds.push([ours!, other!]); // the first one warms both up
  }
  const row = (
    what: string,
    figure: (measured: Measured) => number,
    ratio: (pair: [number, number]) => number,
  ): Row => {
    const pairs = rounds.map(([ours, other]): [number, number] => [figure(ours), figure(other)]);
    return {
      name: `versions: ${name}, ${what}`,
      ours: median(pairs.map(([ours]) => ours)),
      reference: median(pairs.map(([, other]) => other)),
      ratio: median(pairs.map(ratio)),
      aim: AIM,
    };
  };
  return [
    row(
      'messages/s',
      ({ perSecond }) => perSecond,
      ([ours, other]) => ours / other,
    ),
    row(
      'µs of Node per message',
      ({ cpuMs }) => cpuMs * 1_000,
      ([ours, other]) => other / ours,
    ),
  ];
}

/** A version of the service with its database, and its API. */
class Version {
  private rounds = 0;

  private constructor(
    private readonly folder: string | undefined,
    private readonly port: number,
    private readonly database: BenchDatabase,
    private readonly env: Record<string, string>,
    private api: ChildProcess,
    private readonly account: AdminAccount & { listId: string },
  ) {}

  static async start(folder: string | undefined, port: number, providers: Record<string, string>): Promise<Version> {
    const database = await startDatabase();
    const env = {
      ...providers,
      ...ADMIN_VARIABLES,
      ...{ DATABASE_URL: database.url, DATABASE_POOL_SIZE: POOL_SIZE, SNS_SIGNING_CERT_HOSTS: '127.0.0.1' },
      ...{ AWS_ACCESS_KEY_ID: 'AKIABENCH', AWS_SECRET_ACCESS_KEY: 'secret' },
    };
    const api = await startApi(folder, port, env);
    const account = await openAdminAccount(`http://127.0.0.1:${port}`, database);
    const contacts = MAILS.messages + MAILS.warmUp;
    const listId = await seedAudience(database.pool, account.accountId, { contacts, listed: contacts });
    return new Version(folder, port, database, env, api, { ...account, listId });
  }

  private get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Measures the API while it accepts. */
  accept(send: (url: string, key: string) => Promise<{ perSecond: number }>): Promise<Measured> {
    return this.load(async () => {
      const { perSecond } = await send(this.url, this.account.key);
      return { perSecond, count: perSecond * SECONDS };
    });
  }

  async receiveEvents(posts: SesPosts): Promise<Measured> {
    const { accountId } = this.account;
    const ses = { region: 'us-east-1', topicArn: SesPosts.topicArn, configurationSet: null, accessKeyId: null };
    await this.database.pool.query('UPDATE accounts SET ses = $1 WHERE id = $2', [ses, accountId]);
    const events = posts.ofDeliveries(accountId, await addMessages(this.database, accountId, EVENTS));
    return this.load(async () => {
      const { perSecond, failed } = await postAll(`${this.url}/api/provider-events/ses/${accountId}`, events, 64);
      if (failed > 0) throw new Error(`${failed} events were refused`);
      return { perSecond, count: EVENTS };
    });
  }

  importContacts(): Promise<Measured> {
    const batches = chunk(people(++this.rounds, CONTACTS), BATCH);
    return this.load(async () => ({
      perSecond: await importsPerSecond(batches, (batch) => importBatch(this.url, this.account.key, batch)),
      count: CONTACTS,
    }));
  }

  private async load(work: () => Promise<{ perSecond: number; count: number }>): Promise<Measured> {
    const before = await cpuSeconds(this.api);
    const { perSecond, count } = await work();
    return { perSecond, cpuMs: (((await cpuSeconds(this.api)) - before) * 1_000) / count };
  }

  post({ messages, warmUp }: Mails): Promise<unknown> {
    return postEmailCount(this.url, this.account.key, messages + warmUp);
  }

  postAll(body: string, { messages, warmUp }: Mails): Promise<unknown> {
    return postBodies(this.url, this.account.key, body, { amount: messages + warmUp });
  }

  startCampaign(): Promise<unknown> {
    return startCampaign(this.url, this.account.session, { listIds: [this.account.listId] });
  }

  /** Measures a worker that finds everything accepted. */
  async deliver(sink: ChildProcess, mails: Mails, accept: () => Promise<unknown>): Promise<Measured> {
    await accept();
    await stop(this.api);
    let cpu = 0;
    const perSecond = await rateOf(
      sink,
      mails,
      () => startService({ ...this.env, ROLE: 'worker' }, this.folder),
      async (worker) => {
        cpu = await cpuSeconds(worker);
      },
    );
    this.api = await startApi(this.folder, this.port, this.env);
    return { perSecond, cpuMs: (cpu * 1_000) / (mails.messages + mails.warmUp) };
  }

  async deliverToSes(ses: ChildProcess): Promise<Measured> {
    await useEmailProvider(this.database, 'ses');
    await this.post(MAILS);
    ses.send(MAILS.messages + MAILS.warmUp);
    const done = nextMessage<{ received: number; ms: number }>(ses);
    const worker = startService({ ...this.env, ROLE: 'worker' }, this.folder);
    const { received, ms } = await done;
    const cpu = await cpuSeconds(worker);
    await stop(worker);
    await useEmailProvider(this.database, 'smtp');
    return { perSecond: received / (ms / 1_000), cpuMs: (cpu * 1_000) / received };
  }

  async stop(): Promise<void> {
    await stop(this.api);
    await this.database.stop();
  }
}

async function startApi(folder: string | undefined, port: number, env: Record<string, string>): Promise<ChildProcess> {
  const api = startService({ ...env, ROLE: 'api', PORT: String(port) }, folder);
  await untilReady(`http://127.0.0.1:${port}`);
  return api;
}
