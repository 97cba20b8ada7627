import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { SyncOptOuts } from '../../../src/modules/sms/application/sync-opt-outs.service.js';
import { budget } from '../../support/budget.js';
import { SmsFixture } from '../../support/sms-fixture.js';

const COUNT = budget({ quick: 20_000, soak: 100_000 });
const PAGES = COUNT / 100;
/** Rate slot, lock, suppressions, standing consents, withdrawals, events, and numbers with progress. */
const STATEMENTS_PER_PAGE = 7;
const REMOVED = 1_000;
/** As many numbers are lifted at a time as a page has. */
const LIFTS = REMOVED / 100;
const PAGES_LEFT = PAGES - LIFTS;
/** What is executed less often belongs to the run, such as the renewals of its lease, or to the service. */
const OFTEN = 100;

describe('A long opt-out list', () => {
  let sms: SmsFixture;

  beforeAll(async () => {
    sms = await SmsFixture.start({ ROLE: 'api', SMS_SYNC_PAGES_PER_SECOND: '1000' });
  });
  afterAll(() => sms.stop());

  it('takes a few statements a page to suppress, and about one for each number to lift', async () => {
    const { account, accessKeyId } = await sms.open();
    const { optedOut } = sms.aws.account(accessKeyId).sms;
    for (let n = 0; n < COUNT; n++) optedOut.add(`+1${2_125_000_000 + n * 7}`);
    const provider = (await sms.service.app.get(ProviderDirectory, { strict: false }).findSms(account.id))!;
    const sync = () => sms.service.app.get(SyncOptOuts, { strict: false }).run(account.id, provider);
    const count = async (table: string) => {
      const sql = `SELECT count(*)::integer AS count FROM ${table} WHERE account_id = $1`;
      return (await sms.service.query<{ count: number }>(sql, [account.id]))[0]?.count;
    };
    const queries = jest.spyOn(sms.service.database, 'query');
    /** How often statements are executed that are executed often, the most frequent first. */
    const frequent = () => {
      const counts = new Map<unknown, number>();
      for (const [statement] of queries.mock.calls) {
        const text = JSON.stringify(statement);
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      return [...counts.values()].filter((count) => count > OFTEN).sort((a, b) => b - a);
    };

    expect(await sync()).toMatchObject({ outcome: 'complete', sync: { added: COUNT, total: COUNT } });
    const others = Array<number>(STATEMENTS_PER_PAGE - 1).fill(PAGES);
    expect(frequent()).toEqual([PAGES + 1, ...others]); // the first rate slot adds its row
    expect(sms.aws.requests('ListPhoneNumbersOptedOut')).toBe(PAGES);
    expect([await count('suppressions'), await count('outbox_events')]).toEqual([COUNT, COUNT]);

    for (const number of [...optedOut].slice(0, REMOVED)) optedOut.delete(number);
    queries.mockClear();
    expect(await sync()).toMatchObject({ outcome: 'complete', sync: { added: 0, total: COUNT - REMOVED } });
    expect(sms.aws.requests('CheckIfPhoneNumberIsOptedOut')).toBe(REMOVED);
    const ofPages = Array<number>(STATEMENTS_PER_PAGE - 3).fill(PAGES_LEFT);
    expect(frequent()).toEqual([PAGES_LEFT + REMOVED, PAGES_LEFT + LIFTS, PAGES_LEFT + LIFTS, ...ofPages]);
    expect([await count('suppressions'), await count('sms_opted_out_numbers')]).toEqual([
      COUNT - REMOVED,
      COUNT - REMOVED,
    ]);
  });
});
