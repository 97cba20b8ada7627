import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type AddressToSuppress, SuppressAddresses } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

describe('The events of suppressions', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const byHand = (body: object) => account.asAdmin('post', '/api/suppressions').send(body);
  const upload = (csv: string) =>
    account.asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv);
  const suppress = (addresses: AddressToSuppress[]) =>
    service.app.get(SuppressAddresses, { strict: false }).suppress(addresses);
  const cause = (changes: Partial<AddressToSuppress> = {}): AddressToSuppress => ({
    accountId: account.id,
    channel: 'email',
    address: 'Ada@Example.com',
    reason: 'bounced',
    source: 'provider',
    ...changes,
  });
  const events = (of = account) =>
    service.query<{ type: string; occurred_at: Date; data: Record<string, unknown> }>(
      'SELECT type, occurred_at, data FROM outbox_events WHERE account_id = $1 ORDER BY id',
      [of.id],
    );
  const emitted = async (of = account) => (await events(of)).map(({ type, data }) => ({ type, data }));
  const entries = (of = account) =>
    service.query<{ address: string; created_at: Date }>(
      'SELECT address, created_at FROM suppressions WHERE account_id = $1 ORDER BY address',
      [of.id],
    );
  const contact = { contactId: null, firstName: null, lastName: null, campaignId: null };

  it('report an address that a user suppressed, once', async () => {
    await byHand({ email: 'Ada@Example.com' }).expect(201);
    await byHand({ email: 'ada@example.com' }).expect(200);
    await byHand({ phone: '(415) 555-0100' }).expect(201);
    expect(await emitted()).toEqual([
      {
        type: 'contact.suppressed',
        data: { email: 'ada@example.com', channel: 'email', reason: 'manual', source: 'dashboard', ...contact },
      },
      {
        type: 'contact.suppressed',
        data: { phone: '+14155550100', channel: 'sms', reason: 'manual', source: 'dashboard', ...contact },
      },
    ]);
    const times = (await entries()).map(({ created_at: at }) => at);
    expect((await events()).map(({ occurred_at: at }) => at)).toEqual(expect.arrayContaining(times));
  });

  it('report each address that an import added as suppressed, whatever its reason', async () => {
    await byHand({ email: 'old@example.com' }).expect(201);
    const csv = [
      'address,reason',
      'u@example.com,unsubscribed',
      'b@example.com,bounced',
      'c@example.com,complained',
      'm@example.com,',
      '+14155550100,sms_opt_out',
      '+14155550101,unsubscribed',
      'B@example.com,complained',
      'OLD@example.com,bounced',
      'nobody,manual',
    ];
    await upload(csv.join('\n')).expect(200);
    await upload(csv.join('\n')).expect(200);
    const [, ...imported] = await emitted();
    const byAddress = (data: Record<string, unknown>) => String(data.email ?? data.phone);
    expect(imported.sort((a, b) => (byAddress(a.data) < byAddress(b.data) ? -1 : 1))).toEqual([
      {
        type: 'contact.suppressed',
        data: { phone: '+14155550100', channel: 'sms', reason: 'sms_opt_out', source: 'import', ...contact },
      },
      {
        type: 'contact.suppressed',
        data: { phone: '+14155550101', channel: 'sms', reason: 'unsubscribed', source: 'import', ...contact },
      },
      ...[
        { email: 'b@example.com', reason: 'bounced' },
        { email: 'c@example.com', reason: 'complained' },
        { email: 'm@example.com', reason: 'manual' },
        { email: 'u@example.com', reason: 'unsubscribed' },
      ].map((entry) => ({
        type: 'contact.suppressed',
        data: { ...entry, channel: 'email', source: 'import', ...contact },
      })),
    ]);
  });

  it('report a contact that is imported as unsubscribed as such', async () => {
    const contacts = [{ email: 'u@example.com', status: 'unsubscribed' }];
    await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
    expect(await emitted()).toMatchObject([{ type: 'contact.unsubscribed', data: { source: 'import' } }]);
  });

  it('contain the details of a bounce and of a complaint', async () => {
    const known = { messageLogId: 'm', contactId: 'c', campaignId: 'k' };
    const added = await suppress([
      cause({ ...known, diagnosticCode: 'smtp; 550 5.1.1' }),
      cause({ ...known, address: 'bob@example.com', reason: 'complained', feedbackType: 'abuse' }),
    ]);
    expect(added).toMatchObject([
      { accountId: account.id, address: 'ada@example.com', reason: 'bounced', messageLogId: 'm', contactId: 'c' },
      { accountId: account.id, address: 'bob@example.com', reason: 'complained' },
    ]);
    const { contactId, campaignId } = known;
    const of = { firstName: null, lastName: null, contactId, campaignId, messageLogId: 'm' };
    const expected = [
      {
        type: 'contact.bounced',
        data: { email: 'ada@example.com', bounceType: 'hard', diagnosticCode: 'smtp; 550 5.1.1', ...of },
      },
      { type: 'contact.complained', data: { email: 'bob@example.com', feedbackType: 'abuse', ...of } },
    ];
    expect(await emitted()).toEqual(expect.arrayContaining(expected));
    expect(await emitted()).toHaveLength(2);
  });

  it('report the first cause of each address of several accounts, and nothing for invalid addresses', async () => {
    const other = await service.createAccount();
    const added = await suppress([
      cause({ reason: 'complained' }),
      cause({ address: 'ADA@example.com' }),
      cause({ accountId: other.id }),
      cause({ address: 'nobody' }),
      cause({ channel: 'sms', address: 'ada@example.com' }),
    ]);
    expect(added).toHaveLength(2);
    expect(await emitted()).toMatchObject([{ type: 'contact.complained' }]);
    expect(await emitted(other)).toMatchObject([{ type: 'contact.bounced' }]);
    await expect(suppress([cause(), cause({ address: 'nobody' })])).resolves.toEqual([]);
    await expect(suppress([])).resolves.toEqual([]);
    expect(await emitted()).toHaveLength(1);
  });

  it('and the entries are committed together, with the transaction that they are part of', async () => {
    const failing = service.database.run(async () => {
      await expect(suppress([cause()])).resolves.toHaveLength(1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await service.query('ALTER TABLE outbox_events RENAME TO away');
    try {
      await byHand({ email: 'ada@example.com' }).expect(500);
      await upload('ada@example.com').expect(500);
    } finally {
      await service.query('ALTER TABLE away RENAME TO outbox_events');
    }
    expect(await entries()).toEqual([]);
    expect(await emitted()).toEqual([]);
  });

  it('report each address once, and its bounce, when it is suppressed in every way at the same time', async () => {
    const all = Array.from({ length: 200 }, (_, i) => `user${i}@example.com`);
    const causes = all.map((address) => cause({ address }));
    await Promise.all([
      upload(all.join('\n')).expect(200),
      upload(all.toReversed().join('\n')).expect(200),
      suppress(causes),
      suppress(causes.toReversed()),
      service.database.run(async () => {
        for (const one of causes.toReversed()) await suppress([one]);
      }),
      ...all.slice(0, 50).map((email) => byHand({ email })),
    ]);
    expect(await entries()).toHaveLength(200);
    const emailsOf = async (type: string) =>
      (await emitted()).flatMap((event) => (event.type === type ? [event.data.email as string] : []));
    expect((await emailsOf('contact.bounced')).sort()).toEqual(all.toSorted());
    // Only those that an operator suppressed before they bounced.
    const byOperators = await emailsOf('contact.suppressed');
    expect(new Set(byOperators).size).toBe(byOperators.length);
    expect(all).toEqual(expect.arrayContaining(byOperators));
  });
});
