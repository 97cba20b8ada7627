import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const KINDS = [
  ['message', {}],
  ['message with copies', { cc: ['copy@example.org'] }],
] as const;

describe('A message', () => {
  let accounts: TwoAccounts;
  /** Addresses are looked up in the order of accounts: what follows the rows of the first one belongs to the other. */
  let first: TestAccount;
  let second: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    accounts = await TwoAccounts.start();
    [first, second] = accounts.both.sort((a, b) => (a.id < b.id ? -1 : 1)) as [TestAccount, TestAccount];
    await first.verifySender('shop@example.com');
    key = await first.createKey();
  });
  afterAll(() => accounts.stop());

  const send = (mail: object) => sendEmail(accounts.service, key.secret, { text: 'Hello', ...mail });
  const rowsOf = (id: string) =>
    accounts.service.query<{ contact_id: string | null }>(
      'SELECT contact_id FROM message_logs WHERE id = $1 OR group_id = $1',
      [id],
    );

  it.each(KINDS)('is stored and counted once, as a %s, however many accounts there are', async (_, fields) => {
    await accounts.service.query('DELETE FROM daily_usage');
    const id = await send(fields);
    const size = 'cc' in fields ? 2 : 1;
    expect(await rowsOf(id)).toHaveLength(size);
    const usage = await accounts.service.query('SELECT used FROM daily_usage WHERE subject_id = $1', [first.id]);
    expect(usage).toEqual([{ used: size }]);
  });

  it.each(KINDS)('is not sent to the contact of another account with the same address, as a %s', async (_, fields) => {
    await second.asAdmin('post', '/api/contacts').send({ email: 'ada@example.org' });
    const rows = await rowsOf(await send({ ...fields, to: 'ada@example.org' }));
    expect(rows.map(({ contact_id }) => contact_id)).toEqual(rows.map(() => null));
  });

  it.each(KINDS)('is accepted although another account suppresses the address, as a %s', async (_, fields) => {
    await second.asAdmin('post', '/api/suppressions').send({ email: 'grace@example.org' });
    await postEmail(accounts.service, key.secret, { ...fields, to: 'grace@example.org', text: 'Hello' }).expect(201);
  });

  it.each(KINDS)('repeats no request of another account with the same keys, as a %s', async (kind, fields) => {
    const sameKey = kind.replaceAll(' ', '-');
    await accounts.service.query(
      `INSERT INTO idempotency_keys (account_id, api_key_id, key, fingerprint, message_id, created_at)
       VALUES ($1, $2, $3, 'theirs', $4, $5)`,
      [second.id, key.id, sameKey, accounts.newId(), accounts.now],
    );
    const { body } = await postEmail(accounts.service, key.secret, { ...fields, text: 'Hello' })
      .set('Idempotency-Key', sameKey)
      .expect(201);
    expect((await rowsOf((body as { messageLogId: string }).messageLogId)).length).toBeGreaterThan(0);
  });
});
