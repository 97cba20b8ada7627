import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { Config } from '../../src/config/config.js';
import { SmsFixture, type SmsAccount } from '../support/sms-fixture.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';

jest.setTimeout(120_000);

const PATH = '/api/sms/sync-optouts';

/** This process and another one of the service on one database. */
describe('A sync of opt-outs in several processes', () => {
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
  const ask = (url: string) =>
    fetch(url + PATH, { method: 'POST', headers: { authorization: `Bearer ${opened.account.adminToken}` } });
  /** Notes what is asked for; a page that `holds` waits for ever. */
  const note = (holds: (token: string | null) => boolean = () => false) => {
    sms.aws.answer = ({ operation, parameters }) => {
      if (operation !== 'ListPhoneNumbersOptedOut') return undefined;
      const token = (parameters.nextToken as string | undefined) ?? null;
      tokens.push(token);
      return holds(token) ? new Promise(() => undefined) : undefined;
    };
  };
  const told = async () => {
    const sql = 'SELECT count(*)::integer AS count FROM outbox_events WHERE account_id = $1';
    return (await sms.service.query<{ count: number }>(sql, [opened.account.id]))[0]?.count;
  };

  it('goes on where a killed process was, and tells of nobody twice', async () => {
    const other = await startOther('100');
    note((token) => token === '200');
    ask(other.url).catch(() => undefined); // it is killed
    await waitFor('the third page to be asked for', () => tokens.includes('200'));
    await other.process.kill('SIGKILL');
    // The lease of the killed process ends.
    await sms.service.query('UPDATE sms_opt_out_syncs SET lease_ends_at = now()');
    note();
    const { body } = await opened.account.asAdmin('post', PATH).expect(200);
    expect(body).toMatchObject({ added: 450, total: 450 });
    expect(tokens).toEqual([null, '100', '200', '200', '300', '400']);
    expect(await told()).toBe(450);
  });

  it('is one pass for calls in both at once', async () => {
    const other = await startOther('100');
    note();
    const [here, there] = await Promise.all([opened.account.asAdmin('post', PATH), ask(other.url)]);
    expect([here.status, there.status]).toEqual([200, 200]);
    expect(await there.json()).toMatchObject({ total: 450 });
    expect(new Set(tokens).size).toBe(5);
    expect(await told()).toBe(450);
    await other.process.kill('SIGTERM');
  });

  it('stops between two pages when its process is told to, and leaves the rest to others at once', async () => {
    const other = await startOther('1');
    note();
    const call = ask(other.url);
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
