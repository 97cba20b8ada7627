import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { Config } from '../../src/config/config.js';
import { SmsFixture, type SmsAccount } from '../support/sms-fixture.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

const PATH = '/api/sms/sync-optouts';

/** The process of the test and another one share a database. */
describe('The opt-out sync in several processes', () => {
  let sms: SmsFixture;
  let opened: SmsAccount;
  let tokens: (string | null)[];

  beforeAll(async () => {
    sms = await SmsFixture.start({ ROLE: 'api', SMS_SYNC_PAGES_PER_SECOND: '100' });
  });
  afterAll(async () => {
    await killServiceProcesses();
    await sms.stop();
  });
  beforeEach(async () => {
    sms.aws.reset();
    opened = await sms.open();
    for (let n = 0; n < 450; n++) sms.aws.account(opened.accessKeyId).sms.optedOut.add(`+1${4_155_550_000 + n}`);
    tokens = [];
  });

  const startOther = (pagesPerSecond: string) => {
    const { databaseUrl, appSecret } = sms.service.app.get(Config);
    return startListening({
      DATABASE_URL: databaseUrl,
      APP_SECRET: appSecret,
      ROLE: 'api',
      LOG_LEVEL: 'warn',
      AWS_ENDPOINT_URL_SNS: sms.aws.url,
      SMS_SYNC_PAGES_PER_SECOND: pagesPerSecond,
    });
  };
  const startSync = (url: string) =>
    fetch(url + PATH, { method: 'POST', headers: { authorization: `Bearer ${opened.account.adminToken}` } });
  /** Collects the token of each request for a page. Requests for which `hangs` is true get no answer. */
  const collectTokens = (hangs: (token: string | null) => boolean = () => false) => {
    sms.aws.answer = ({ operation, parameters }) => {
      if (operation !== 'ListPhoneNumbersOptedOut') return undefined;
      const token = (parameters.nextToken as string | undefined) ?? null;
      tokens.push(token);
      return hangs(token) ? new Promise(() => undefined) : undefined;
    };
  };
  const countEvents = async () => {
    const sql = 'SELECT count(*)::integer AS count FROM outbox_events WHERE account_id = $1';
    return (await sms.service.query<{ count: number }>(sql, [opened.account.id]))[0]?.count;
  };

  it('resumes after a process was killed, and writes no event twice', async () => {
    const other = await startOther('100');
    collectTokens((token) => token === '200');
    startSync(other.url).catch(() => undefined); // it is killed
    await waitFor('the request for the third page', () => tokens.includes('200'));
    await other.process.kill('SIGKILL');
    // The lease of the killed process ends.
    await sms.service.query('UPDATE sms_opt_out_syncs SET lease_ends_at = now()');
    collectTokens();
    const { body } = await opened.account.asAdmin('post', PATH).expect(200);
    expect(body).toMatchObject({ added: 450, total: 450 });
    expect(tokens).toEqual([null, '100', '200', '200', '300', '400']);
    expect(await countEvents()).toBe(450);
  });

  it('runs one pass for concurrent calls to both', async () => {
    const other = await startOther('100');
    collectTokens();
    const [here, there] = await Promise.all([opened.account.asAdmin('post', PATH), startSync(other.url)]);
    expect([here.status, there.status]).toEqual([200, 200]);
    expect(await there.json()).toMatchObject({ total: 450 });
    expect(new Set(tokens).size).toBe(5);
    expect(await countEvents()).toBe(450);
    await other.process.kill('SIGTERM');
  });

  it('stops between two pages on SIGTERM, and another process resumes at once', async () => {
    const other = await startOther('1');
    collectTokens();
    const call = startSync(other.url);
    await waitFor('a second page', () => tokens.length === 2);
    expect(await other.process.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const answer = await call;
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ added: 200, total: 200, syncedAt: null });
    const { body } = await opened.account.asAdmin('post', PATH).expect(200);
    expect(body).toMatchObject({ added: 450, total: 450 });
    expect(tokens).toEqual([null, '100', '200', '300', '400']);
  });
});
