import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ConsentPartitions } from '../../../src/modules/consent/application/ports/consent-partitions.js';
import { RecordConsents } from '../../../src/modules/consent/index.js';
import { monthAfter } from '../../../src/shared/utc.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'ada@example.com';
const PROOF = { wording: 'Yes, send me news', ip: '192.0.2.1', userAgent: 'Browser/1.0', evidence: 'list of ada' };

describe('The records of consent', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.clock.reset();
    account = await service.createAccount();
  });

  const record = async (fields: object = {}) =>
    (await recordConsent(account, { email: EMAIL, ...fields }).expect(201)).body;
  const addContact = async (email = EMAIL) =>
    (await account.asAdmin('post', '/api/contacts').send({ email }).expect(201)).body.id as string;
  const erase = (id: string) => account.asAdmin('post', `/api/contacts/${id}/erase`).expect(200);

  it('can be neither changed nor deleted, not even as an erasure changes them', async () => {
    const { id } = await record(PROOF);
    const name = (
      await service.query<{ name: string }>('SELECT tableoid::regclass::text AS name FROM consent_records')
    )[0]!.name;
    for (const statement of [
      `UPDATE consent_records SET action = 'withdrawn' WHERE id = '${id}'`,
      `UPDATE consent_records SET ip = NULL WHERE id = '${id}'`,
      `DELETE FROM consent_records WHERE id = '${id}'`,
      `DELETE FROM ${name}`,
      `UPDATE ${name} SET wording_text = 'other words'`,
      'TRUNCATE consent_records',
      `UPDATE consent_records SET address = repeat('0', 64), given_address = NULL, ip = NULL, user_agent = NULL,
         evidence = NULL WHERE id = '${id}'`,
      `DO $$ BEGIN UPDATE consent_records SET address = repeat('0', 64), given_address = NULL, ip = NULL,
         user_agent = NULL, evidence = NULL WHERE id = '${id}'; END $$`,
    ])
      await expect(service.query(statement)).rejects.toThrow('consent records are never changed');
    expect(await consentsOf(account)).toMatchObject([{ id, ip: PROOF.ip, wording: { text: PROOF.wording } }]);
  });

  it('of an erased person keep times, words and actions, and are found by the address alone', async () => {
    const id = await addContact();
    const granted = await record({ ...PROOF, email: 'Ada@Example.com' });
    const withdrawn = await record({ action: 'withdrawn', purpose: 'tracking' });
    await record({ email: 'bob@example.com' });
    await erase(id);
    const erased = await consentsOf(account, { email: EMAIL });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    const nobody = { address: hash, ip: null, userAgent: null, evidence: null };
    expect(erased).toEqual([
      { ...withdrawn, ...nobody },
      { ...granted, ...nobody },
    ]);
    expect((await account.asMember('get', `/api/consents/${granted.id}`).expect(200)).body).toEqual(erased[1]);
    expect(await standingOf(account, { email: EMAIL })).toBe('granted');
    const { text } = await account.asAdmin('get', '/api/consents/export').query({ email: EMAIL }).expect(200);
    expect(text).toContain(PROOF.wording);
    const rows = await service.query(
      `SELECT FROM consent_records r WHERE r.account_id = $1 AND r::text ILIKE '%ada%'
       UNION ALL SELECT FROM standing_consents s WHERE s.account_id = $1 AND s::text ILIKE '%ada%'`,
      [account.id],
    );
    expect(rows).toEqual([]);
    expect(await consentsOf(account, { email: 'bob@example.com' })).toMatchObject([{ address: 'bob@example.com' }]);
  });

  it('of an erased person are not added to, until the address is used again', async () => {
    const id = await addContact();
    await record({ action: 'withdrawn' });
    await erase(id);
    await recordConsent(account, { email: EMAIL }).expect(400, badRequest(`${EMAIL} is suppressed`));
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    const earlier = new Date(service.clock.now().getTime() - 86_400_000).toISOString();
    await record({ occurredAt: earlier });
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
    expect((await consentsOf(account, { email: EMAIL })).map(({ action }) => action)).toEqual(['granted', 'withdrawn']);
  });

  it('of an erased person are erased in parts, however many there are', async () => {
    const id = await addContact();
    const { id: recordId } = await record();
    await service.query(
      `INSERT INTO consent_records (id, account_id, channel, address, purpose, action, source, occurred_at, recorded_at, actor_type)
       SELECT left($2, 9) || lpad(n::text, 16, '0'), $1, 'email', $3, 'marketing', 'granted', 'api', now(), now(), 'system'
       FROM generate_series(1, 2500) n`,
      [account.id, recordId, EMAIL],
    );
    await erase(id);
    expect(
      await service.query('SELECT FROM consent_records WHERE account_id = $1 AND address = $2', [account.id, EMAIL]),
    ).toEqual([]);
  });

  it('are not added by a request that waits for the erasure of the person', async () => {
    const id = await addContact();
    await record();
    const eraseFirst = () => service.query('SELECT pg_advisory_xact_lock(7203118, hashtext($1))', [account.id]);
    const [erased, recorded] = await raceBehind<number>(service, eraseFirst, [
      async () => (await account.asAdmin('post', `/api/contacts/${id}/erase`)).status,
      async () => (await recordConsent(account, { email: EMAIL, action: 'withdrawn' })).status,
    ]);
    expect(erased).toBe(200);
    expect([201, 400]).toContain(recorded);
    expect(
      await service.query('SELECT FROM consent_records WHERE account_id = $1 AND address = $2', [account.id, EMAIL]),
    ).toEqual([]);
  });

  it('that happen now come after everything that stands, however slow the clock of a process is', async () => {
    const granted = await record();
    service.clock.advance({ minutes: -10 });
    const withdrawn = await record({ action: 'withdrawn' });
    expect(new Date(withdrawn.occurredAt).getTime()).toBe(new Date(granted.occurredAt).getTime() + 1);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('of two withdrawals at once are both kept, and what stands is the later one', async () => {
    const granted = await record();
    const lock = () => service.query('SELECT FROM standing_consents WHERE account_id = $1 FOR UPDATE', [account.id]);
    const withdraw = async () =>
      (await recordConsent(account, { email: EMAIL, action: 'withdrawn' }).expect(201)).body as { id: string };
    const both = await raceBehind(service, lock, [withdraw, withdraw]);
    const history = await consentsOf(account);
    expect(history.map(({ id }) => id).toSorted()).toEqual([granted.id, ...both.map(({ id }) => id)].toSorted());
    const [standing] = await service.query<{ state: string; consent_id: string }>(
      'SELECT state, consent_id FROM standing_consents WHERE account_id = $1',
      [account.id],
    );
    const [latest] = history.toSorted((a, b) => (a.occurredAt + a.id < b.occurredAt + b.id ? 1 : -1));
    expect(standing).toEqual({ state: 'withdrawn', consent_id: latest!.id });
  });

  it('are in the partition of their month, which is made ahead, or else with its first record', async () => {
    const partitions = service.app.get(ConsentPartitions, { strict: false });
    const months = [9, 10].map((ahead) => monthAfter(service.clock.now(), ahead));
    await partitions.ensure(months[0]!, 1);
    await partitions.ensure(months[0]!, 1);
    for (const month of months) {
      service.clock.reset();
      service.clock.advance({ days: (month.getTime() - Date.now()) / 86_400_000 + 1 });
      const { id } = await record();
      const [row] = await service.query<{ name: string }>(
        'SELECT tableoid::regclass::text AS name FROM consent_records WHERE id = $1',
        [id],
      );
      expect(row!.name).toBe(`consent_records_${month.toISOString().slice(0, 7).replace('-', '_')}`);
      await expect(service.query(`DELETE FROM ${row!.name}`)).rejects.toThrow('consent records are never changed');
    }
  });

  it('can be made after the transaction was rolled back that made their partition', async () => {
    service.clock.advance({ days: 600 });
    const consents = service.app.get(RecordConsents, { strict: false });
    const consent = { accountId: account.id, channel: 'email', address: EMAIL, action: 'granted' } as const;
    const add = () => consents.record([{ ...consent, source: 'api', actor: { type: 'system', id: null } }]);
    const rolledBack = service.database.run(async () => {
      await add();
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await add()).toEqual([expect.stringMatching(/^c/)]);
  });
});
