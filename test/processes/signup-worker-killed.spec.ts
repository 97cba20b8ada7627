import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expireLeases } from '../support/expire-leases.js';
import { FormFixture, linkIn, type TestForm } from '../support/form-fixture.js';
import { lockRows } from '../support/lock-rows.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const EMAIL = 'ada@example.org';

/** What a worker waits for while it has a message accepted. */
const COUNTERS = 'SELECT used FROM daily_usage WHERE subject_id = $1';
const SIGNUP = 'SELECT id FROM form_signups WHERE account_id = $1';
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('A worker killed with SIGKILL between the contact and the welcome mail', () => {
  let database: TestDatabase;
  let relay: SmtpSink;
  let api: TestService;
  let variables: Record<string, string>;
  let fixture: FormFixture;
  let form: TestForm;
  let worker: ServiceProcess;

  beforeAll(async () => {
    [database, relay] = [await createTestDatabase(), await SmtpSink.start()];
    variables = { DATABASE_URL: database.url, SMTP_URL: relay.url, APP_SECRET: randomBytes(32).toString('hex') };
    api = await TestService.start({ ...variables, ROLE: 'api' }, database);
  });
  afterEach(() => killServiceProcesses());
  afterAll(async () => {
    await api.stop();
    await relay.stop();
    await database.drop();
  });
  beforeEach(async () => {
    relay.reset();
    fixture = await FormFixture.open(api);
    const templateId = await fixture.createTemplate({ subject: 'Welcome', text: 'Welcome' });
    form = await fixture.createForm({ welcome: { templateId } });
    worker = startWorker();
  });

  const startWorker = () => ServiceProcess.spawn({ ...variables, ROLE: 'worker' });
  const welcomes = () => relay.received().filter(({ parsed }) => parsed.subject === 'Welcome');
  const accepted = async () => (await fixture.mailsTo(EMAIL)).filter(({ subject }) => subject === 'Welcome').length;

  /** Signs up; the worker mails the link. */
  async function linkOf(): Promise<string> {
    await fixture.submit(form, { email: EMAIL }).expect(200);
    await worker.waitFor('the mail with the link', () => relay.received().length > 0);
    return linkIn(relay.received()[0]!.parsed.text!);
  }

  async function isWaiting(lock: string): Promise<void> {
    await worker.waitFor(lock, async () => (await api.query(WAITING)).length > 0);
  }

  /** As if the claims of the killed worker had ended, and its jobs were missed. */
  async function endClaims(): Promise<void> {
    const dueNow = 'UPDATE form_signups SET due_at = now() WHERE due_at IS NOT NULL AND account_id = $1';
    await api.query(dueNow, [fixture.account.id]);
    await expireLeases(api, 'pending_deliveries');
    await api.query('UPDATE pending_deliveries SET sweep_at = now()');
  }

  async function expectOneWelcome(): Promise<void> {
    worker = startWorker();
    await endClaims();
    await worker.waitFor('the welcome mail', () => welcomes().length > 0);
    await worker.waitFor('the end of the sign-up', async () => {
      const rows = await api.query('SELECT id FROM form_signups WHERE due_at IS NOT NULL AND account_id = $1', [
        fixture.account.id,
      ]);
      return rows.length === 0;
    });
    expect(await accepted()).toBe(1);
    // What a killed worker was submitting may be submitted again, as the same mail.
    expect(new Set(welcomes().map(({ parsed }) => parsed.messageId)).size).toBe(1);
    expect(await fixture.contactOf(EMAIL)).toMatchObject({ status: 'active' });
  }

  it('does not lose the mail if it was not accepted yet', async () => {
    const path = await linkOf();
    const unlock = await lockRows(api, COUNTERS, [fixture.account.id]);
    await fixture.confirm(path).expect(200);
    await isWaiting('the counters');
    await worker.kill('SIGKILL');
    // The server would execute the statement of a client that is gone.
    await api.query(WAITING.replace('pid', 'pg_terminate_backend(pid)'));
    await unlock();
    expect(await accepted()).toBe(0);
    await expectOneWelcome();
  });

  it('does not send it twice if it was accepted already', async () => {
    const path = await linkOf();
    const unlockCounters = await lockRows(api, COUNTERS, [fixture.account.id]);
    await fixture.confirm(path).expect(200);
    await isWaiting('the counters');
    const unlockSignup = await lockRows(api, SIGNUP, [fixture.account.id]);
    await unlockCounters();
    await waitFor('the mail to be accepted', async () => (await accepted()) === 1);
    await isWaiting('the sign-up');
    await worker.kill('SIGKILL');
    await unlockSignup();
    await expectOneWelcome();
  });
});
