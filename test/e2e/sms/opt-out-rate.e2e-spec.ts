import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { SyncOptOuts } from '../../../src/modules/sms/application/sync-opt-outs.service.js';
import { SmsFixture } from '../../support/sms-fixture.js';

const PAGES = 3;
const ACCOUNTS = 3;
const PAGES_PER_SECOND = 10;

let sms: SmsFixture;

beforeAll(async () => {
  sms = await SmsFixture.start({ ROLE: 'api', SMS_SYNC_PAGES_PER_SECOND: String(PAGES_PER_SECOND) });
});
afterAll(() => sms.stop());

it('Accounts that share an access key share the rate limit for its opt-out list', async () => {
  const opened = await Promise.all(Array.from({ length: ACCOUNTS }, () => sms.open()));
  const accessKeyId = 'AKIASHARED';
  const { optedOut } = sms.aws.account(accessKeyId).sms;
  for (let n = 0; n < PAGES * 100; n++) optedOut.add(`+1${4_155_550_000 + n}`);
  const requestedAt: number[] = [];
  sms.aws.answer = ({ operation }) => {
    if (operation === 'ListPhoneNumbersOptedOut') requestedAt.push(performance.now());
    return undefined;
  };
  const startedAt = performance.now();
  const syncs = opened.map(async ({ account }) => {
    const ses = { accessKeyId, secretAccessKey: 'a secret of AWS' };
    await account.asAdmin('patch', '/api/settings').send({ ses }).expect(200);
    await sms.knows(account, (provider) => JSON.stringify(provider).includes(accessKeyId));
    const provider = (await sms.service.app.get(ProviderDirectory, { strict: false }).findSms(account.id))!;
    return sms.service.app.get(SyncOptOuts, { strict: false }).run(account.id, provider);
  });
  for (const outcome of await Promise.all(syncs)) {
    expect(outcome).toMatchObject({ outcome: 'complete', sync: { added: 300, total: 300 } });
  }
  expect(requestedAt).toHaveLength(ACCOUNTS * PAGES);
  // Timers may be early by a few milliseconds. With limits of their own, three would come in the time of one.
  const slot = (n: number) => startedAt + (n * 1_000) / PAGES_PER_SECOND;
  expect(requestedAt.filter((at, n) => at < slot(n) - 10)).toEqual([]);
});
