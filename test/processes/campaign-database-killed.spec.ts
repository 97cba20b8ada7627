import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { CampaignProcesses, seededRandom } from '../support/campaign-processes.js';
import { templateUrl } from '../support/database.js';
import { killServiceProcesses, type ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { prepareTemplates } from '../support/template-database.js';

const RECIPIENTS = 5_000;
/** CAMPAIGN_SEED=7 repeats the moments of an earlier run. */
const SEED = Number(process.env.CAMPAIGN_SEED ?? randomInt(1_000_000));

describe(`A campaign during which PostgreSQL is killed (CAMPAIGN_SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  let dataDir: string;
  let proxy: TcpProxy;
  let postgres: EmbeddedPostgres;
  let processes: CampaignProcesses;
  let service: ServiceProcess;

  const startPostgres = async () => {
    // Without fsync, what is committed survives the end of the server, though not that of the machine.
    const settings = { synchronous_commit: 'on', full_page_writes: 'on' };
    postgres = await startEmbeddedPostgres({ dataDir, durable: false, settings });
  };
  const portOf = ({ url }: EmbeddedPostgres) => Number(new URL(url).port);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'campaign-database-killed-spec-'));
    proxy = await TcpProxy.start();
    await startPostgres();
    await prepareTemplates(postgres.url);
    proxy.target = portOf(postgres);
    const address = new URL(templateUrl(postgres.url));
    address.port = String(proxy.port);
    processes = await CampaignProcesses.start({ url: address.href, drop: () => Promise.resolve() });
    service = await processes.listen();
  });
  afterAll(async () => {
    await killServiceProcesses();
    await processes.stop();
    proxy.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });

  /** At a random moment between these numbers of mails: immediate shutdown, which is like a crash. */
  async function killBetween(from: number, to: number): Promise<void> {
    const mails = from + Math.floor(random() * (to - from));
    await service.waitFor(`${mails} mails`, () => processes.arrivals().length >= mails);
    const [pid] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await postgres.stop();
    proxy.target = null;
    proxy.cut();
    await startPostgres();
    await processes.noteClaims(postgres.url);
    proxy.target = portOf(postgres);
    await processes.hurrySweeps();
  }

  it('sends one message to each recipient, and twice only what was in flight', async () => {
    const id = await processes.create(RECIPIENTS);
    await processes.act(id, 'start');
    await killBetween(1, RECIPIENTS / 3);
    await killBetween(RECIPIENTS / 3, (RECIPIENTS * 2) / 3);
    await service.waitFor('the campaign', () => processes.isCompleted(id));
    expect(await processes.outcome(id)).toEqual(processes.expectedOf(RECIPIENTS));
  });
});
