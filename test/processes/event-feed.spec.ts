import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import type { TestAccount } from '../support/account.js';
import { templateUrl } from '../support/database.js';
import { EventWriter, FeedReader, recordEvents } from '../support/event-feed.js';
import { insertMessages } from '../support/message-rows.js';
import { TestService } from '../support/service.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { prepareTemplates } from '../support/template-database.js';
import { waitFor } from '../support/wait-for.js';

const LOST_TRANSACTIONS = 50;

describe('Readers of the event feed, while PostgreSQL is killed,', () => {
  let dataDir: string;
  let proxy: TcpProxy;
  let postgres: EmbeddedPostgres;
  let service: TestService;
  let account: TestAccount;

  const startPostgres = async () => {
    // Without fsync, what is committed survives the end of the server, though not that of the machine.
    const settings = { synchronous_commit: 'on', full_page_writes: 'on' };
    postgres = await startEmbeddedPostgres({ dataDir, durable: false, settings });
    proxy.target = Number(new URL(postgres.url).port);
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'event-feed-spec-'));
    proxy = await TcpProxy.start();
    await startPostgres();
    await prepareTemplates(postgres.url);
    const url = new URL(templateUrl(postgres.url));
    url.port = String(proxy.port);
    service = await TestService.start({ ROLE: 'api' }, { url: url.href });
    account = await service.createAccount();
  });
  afterAll(async () => {
    await service.stop();
    proxy.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });

  /** Immediate shutdown, which is like a crash. */
  async function kill(): Promise<void> {
    const [pid] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    await postgres.stop();
    proxy.target = null;
    proxy.cut();
    await startPostgres();
    await waitFor('the service to be ready', async () => {
      const { status } = await service.request('get', '/health/ready');
      return status === 200;
    });
  }

  it('see what was committed once, nothing of what was lost, and all that follows', async () => {
    const [first = '', lost = '', last = ''] = await insertMessages(service, account.id, [{}, {}, {}]);
    const record = (message: string) => recordEvents(service, account.id, message, [{ type: 'delivered' }]);
    const [ahead, behind] = [await FeedReader.open(service, account), await FeedReader.open(service, account)];
    await record(first);
    await ahead.until(1);
    const writer = await EventWriter.begin(service);
    await writer.record(account.id, lost);
    // Numbers that are given again if no trace of them is on disk.
    for (let i = 0; i < LOST_TRANSACTIONS; i++) await service.query('SELECT pg_current_xact_id()');
    await ahead.next();
    const fresh = await FeedReader.open(service, account);
    await kill();
    await record(last);
    const messagesOf = async (reader: FeedReader, count: number) =>
      (await reader.until(count)).map(({ messageLogId }) => messageLogId);
    expect(await messagesOf(ahead, 2)).toEqual([first, last]);
    expect(await messagesOf(behind, 2)).toEqual([first, last]);
    expect(await messagesOf(fresh, 1)).toEqual([last]);
  });
});
