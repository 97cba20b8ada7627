import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { templateUrl } from '../support/database.js';
import { DeliveryFixture } from '../support/delivery-fixture.js';
import { errorBody } from '../support/errors.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { prepareTemplates } from '../support/template-database.js';
import { waitFor } from '../support/wait-for.js';

describe('While PostgreSQL is stopped', () => {
  let dataDir: string;
  let proxy: TcpProxy;
  let postgres: EmbeddedPostgres;
  let fixture: DeliveryFixture;
  let url: string;

  const startPostgres = async () => {
    postgres = await startEmbeddedPostgres({ dataDir, durable: false });
    proxy.target = Number(new URL(postgres.url).port);
  };
  const stopPostgres = async () => {
    await postgres.stop();
    proxy.target = null;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'database-down-spec-'));
    proxy = await TcpProxy.start();
    await startPostgres();
    await prepareTemplates(postgres.url);
    const address = new URL(templateUrl(postgres.url));
    address.port = String(proxy.port);
    fixture = await DeliveryFixture.start('PostgreSQL', { url: address.href, drop: () => Promise.resolve() });
    ({ url } = await startListening({ ...fixture.variables, DATABASE_CONNECT_TIMEOUT_MS: '1500' }));
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
    proxy.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  });

  const sent = (id: string) => waitFor(`${id} to be sent`, async () => (await fixture.withStatus('sent')).includes(id));

  it('answers 503 with Retry-After, and recovers without a restart', async () => {
    await stopPostgres();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => fixture.post(url, `r${i}@example.org`)));
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('Retry-After')).toBe('1');
      expect(await answer.json()).toEqual(errorBody(503, 'The service is temporarily unavailable'));
    }
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    await startPostgres();
    await waitFor('the service to be ready', async () => (await fetch(`${url}/health/ready`)).ok);
    const { messageLogId } = await fixture.sendOne(url, 'ada@example.org');
    await sent(messageLogId);
    expect(fixture.arrivals()).toEqual([messageLogId]);
  });

  it('records what the relay accepted meanwhile, and delivers it once', async () => {
    let take: (answer: undefined) => void = () => undefined;
    const taken = new Promise<undefined>((resolve) => (take = resolve));
    let isOffered = false;
    fixture.relay.reset();
    fixture.relay.answer = (stage) => {
      if (stage !== 'data') return undefined;
      isOffered = true;
      return taken;
    };
    const { messageLogId } = await fixture.sendOne(url, 'grace@example.org');
    await waitFor('the relay to be offered the mail', () => isOffered);
    await stopPostgres();
    take(undefined);
    await waitFor('the mail', () => fixture.arrivals().length === 1);
    await startPostgres();
    await sent(messageLogId);
    expect(fixture.arrivals()).toEqual([messageLogId]);
  });

  it('does not wait for a database that stops responding, and recovers when it responds again', async () => {
    fixture.relay.reset();
    await fixture.sendOne(url, 'warm@example.org');
    proxy.beSilent();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => fixture.post(url, `s${i}@example.org`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);

    expect((await fixture.post(url, 'again@example.org')).status).toBe(503);

    proxy.speak();
    await waitFor('the service to be ready', async () => (await fetch(`${url}/health/ready`)).ok);
    const { messageLogId } = await fixture.sendOne(url, 'ada@example.org');
    await sent(messageLogId);
  });
});
