import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ProcessSignups } from '../../src/modules/forms/application/process-signups.service.js';
import { SweepCampaigns } from '../../src/modules/campaigns/application/sweep-campaigns.service.js';
import { prepareRestoreFromArguments } from '../../src/commands/restore-prepare.js';
import { newId } from '../../src/shared/ids.js';
import { TestAccount } from '../support/account.js';
import { CampaignFixture } from '../support/campaign-fixture.js';
import { cloneDatabase, onServer, TEMPLATE, templateUrl } from '../support/database.js';
import { findInstalledPostgres, InstalledPostgres } from '../support/installed-postgres.js';
import { RelayFixture, SendingAccount } from '../support/relay-fixture.js';
import { inHours } from '../support/schedules.js';
import { prepareTemplates } from '../support/template-database.js';

const APP_SECRET = 'a secret of the tests, of thirty-two characters and more';
const HOUR_AHEAD = 1;
const run = promisify(execFile);

const programs = findInstalledPostgres();
/** The embedded PostgreSQL comes without pg_dump. */
const withPgDump = programs === null ? describe.skip : describe;

withPgDump('A restored dump', () => {
  let server: InstalledPostgres;
  let directory: string;
  let original: RelayFixture;
  let sender: SendingAccount;
  const url = (name: string) => templateUrl(server.url, name);
  const prepare = (database: string) =>
    prepareRestoreFromArguments([], { databaseUrl: url(database), dataDir: '/nowhere' });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'restore-spec-'));
    server = await InstalledPostgres.start(programs!);
    await prepareTemplates(server.url);
    await cloneDatabase(server.url, 'original', TEMPLATE);
    await onServer(server.url, 'CREATE DATABASE restored TEMPLATE template0');
    original = await RelayFixture.start({ ROLE: 'api', APP_SECRET }, {}, { url: url('original') });
    sender = await original.open();
  });
  afterAll(async () => {
    await original.stop();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  /** What is left to do at the time of the backup. */
  async function leaveWork() {
    const { service } = original;
    const { account } = sender;
    const campaigns = CampaignFixture.forAccount(service, account);
    const create = (fields: object) => campaigns.createFor(2, { fromEmail: 'shop@example.com', ...fields });
    const [running, due, later] = [
      await create({ name: 'Running' }),
      await create({ name: 'Due', scheduledAt: inHours(HOUR_AHEAD) }),
      await create({ name: 'Later', scheduledAt: inHours(HOUR_AHEAD) }),
    ];
    for (const { id } of [running, due, later]) await campaigns.act(id, 'start').expect(200);
    await service.query(`UPDATE campaigns SET scheduled_at = now() WHERE id = $1`, [due.id]);
    const { body: endpoint } = await account
      .asAdmin('post', '/api/webhooks')
      .send({ url: 'https://example.com/hook', events: ['contact.suppressed'] })
      .expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ email: 'gone@example.org' }).expect(201);
    const now = service.clock.now();
    await service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, due_at, created_at)
       VALUES ($1, $2, $3, $4, 'contact.suppressed', '{}', 'retrying', now() + interval '5 minutes', now())`,
      [newId(now), account.id, endpoint.id, newId(now)],
    );
    for (const state of ['received', 'admitted', 'confirmed'])
      await service.query(
        `INSERT INTO form_signups (id, account_id, form_id, wording_version, email, normalised_email, language, state,
           created_at, due_at)
         VALUES ($1, $2, $1, 1, $1, $1, 'en', $3, now(), now() + interval '1 hour')`,
        [newId(now), account.id, state],
      );
    return {
      running: running.id as string,
      due: due.id as string,
      later: later.id as string,
      queued: await sender.send({ text: 'Hello' }),
      scheduled: await sender.send({ text: 'Hello', scheduledAt: inHours(HOUR_AHEAD) }),
    };
  }

  /** With the script of the backup service of docker-compose.production.yml; returns the file of the dump. */
  async function backUp() {
    const { hostname, port, username, password } = new URL(url('original'));
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, `${password}\n`);
    const backups = await mkdtemp(join(directory, 'backups-'));
    const outdated = join(backups, 'outdated.dump');
    await writeFile(outdated, '');
    await utimes(outdated, 0, 0);
    await run('sh', [fileURLToPath(new URL('../../deploy/compose/backup.sh', import.meta.url))], {
      env: {
        PATH: `${programs!}:${process.env.PATH}`,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGDATABASE: 'original',
        PGPASSWORD_FILE: passwordFile,
        BACKUP_DIR: backups,
        BACKUP_DAYS: '14',
      },
    });
    const files = await readdir(backups);
    expect(files).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}Z\.dump$/)]);
    return join(backups, files[0]!);
  }

  async function dumpAndRestore() {
    const dump = await backUp();
    await run(join(programs!, 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${url('restored')}`, dump]);
  }

  it('sends nothing again that may have been sent since, and keeps what is scheduled for later', async () => {
    const work = await leaveWork();
    await expect(prepare('original')).rejects.toThrow(/^The database is in use: the service has \d+ connections to it/);
    await dumpAndRestore();

    const { account } = sender;
    expect((await prepare('restored')).split('\n').sort()).toEqual(
      [
        'Campaigns paused: 2',
        `  ${work.running} of account ${account.id}: Running`,
        `  ${work.due} of account ${account.id}: Due`,
        'Messages failed, as they may have been sent: 1',
        'Messages kept, which are scheduled for later: 1',
        'Mails to sign-ups dropped: 3',
        'Events dropped: 1',
        'Webhook deliveries dropped: 1',
      ].sort(),
    );
    expect(await prepare('restored')).toBe(
      [
        'Campaigns paused: 0',
        'Messages failed, as they may have been sent: 0',
        'Messages kept, which are scheduled for later: 1',
        'Mails to sign-ups dropped: 0',
        'Events dropped: 0',
        'Webhook deliveries dropped: 0',
      ].join('\n'),
    );

    const restored = await RelayFixture.start({ APP_SECRET }, {}, { url: url('restored') });
    try {
      const same = new TestAccount(restored.service, account.id, account.adminToken, account.memberToken);
      const reader = new SendingAccount(restored.service, same, sender.key);
      const campaigns = CampaignFixture.forAccount(restored.service, same);
      expect(await restored.sweep()).toBe(0);
      await restored.service.app.get(SweepCampaigns, { strict: false }).sweep();
      expect(await reader.read(work.queued)).toMatchObject({
        status: 'failed',
        events: [{ type: 'failed', data: { reason: expect.stringContaining('restored from a backup') } }],
      });
      expect(await reader.read(work.scheduled)).toMatchObject({ status: 'queued', events: [] });
      expect(await campaigns.get(work.later)).toMatchObject({ status: 'scheduled', pauseReason: null });
      for (const id of [work.running, work.due])
        expect(await campaigns.get(id)).toMatchObject({ status: 'paused', pauseReason: 'restored' });
      await restored.service.app.get(ProcessSignups, { strict: false }).processDue();
      expect(await restored.service.query('SELECT FROM form_signups WHERE due_at IS NULL')).toHaveLength(3);
      expect(restored.relay.received()).toEqual([]);

      await campaigns.act(work.due, 'resume').expect(200);
      await campaigns.untilStatus(work.due, 'completed');
      expect(restored.relay.received()).toHaveLength(2);
    } finally {
      await restored.stop();
    }
  });
});
