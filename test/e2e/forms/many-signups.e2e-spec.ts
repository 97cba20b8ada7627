import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SignupRepository } from '../../../src/modules/forms/application/ports/signup.repository.js';
import { PurgeSignups } from '../../../src/modules/forms/application/purge-signups.service.js';
import { FormFixture, type TestForm } from '../../support/form-fixture.js';
import { lockRows } from '../../support/lock-rows.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

describe('An account whose sign-ups are many or locked', () => {
  let service: TestService;
  let fixture: FormFixture;
  let other: FormFixture;
  let form: TestForm;
  let otherForm: TestForm;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    [fixture, other] = [await FormFixture.open(service), await FormFixture.open(service)];
    [form, otherForm] = [await fixture.createForm(), await other.createForm()];
  });

  const purge = () => service.app.get(PurgeSignups, { strict: false }).purge();

  it('can delete its form while a sign-up is locked, which the next purge removes', async () => {
    for (const name of ['ada', 'eva', 'ida']) await fixture.submit(form, { email: `${name}@example.org` }).expect(200);
    await other.submit(otherForm, { email: 'ada@example.org' }).expect(200);
    const [locked] = await fixture.signups();
    const release = await lockRows(service, 'SELECT FROM form_signups WHERE id = $1', [locked!.id]);
    try {
      await fixture.account.asAdmin('delete', `/api/forms/${form.id}`).expect(200);
      expect(await fixture.signups()).toEqual([locked]);
    } finally {
      await release();
    }
    await fixture.submit(form, { email: 'late@example.org' }).expect(404);
    await purge();
    expect(await fixture.signups()).toEqual([]);
    expect(await other.signups()).toHaveLength(1);
  });

  it('takes submissions, like all others, while its form is locked', async () => {
    const release = await lockRows(service, 'SELECT FROM forms WHERE id = $1', [form.id]);
    try {
      await Promise.all([
        fixture.submit(form, { email: 'ada@example.org' }).expect(200),
        other.submit(otherForm, { email: 'ada@example.org' }).expect(200),
      ]);
      expect([await fixture.signups(), await other.signups()]).toEqual([
        [expect.objectContaining({ state: 'received' })],
        [expect.objectContaining({ state: 'received' })],
      ]);
    } finally {
      await release();
    }
  });

  it('does not delay the mails of others while its form is locked', async () => {
    for (let i = 0; i < 12; i++) await fixture.submit(form, { email: `a${i}@example.org` }).expect(200);
    await other.submit(otherForm, { email: 'ada@example.org' }).expect(200);
    const release = await lockRows(service, 'SELECT FROM forms WHERE id = $1', [form.id]);
    let processed: Promise<void>;
    try {
      processed = fixture.process();
      await waitFor('the mail of the other account', async () => (await other.mailsTo('ada@example.org')).length === 1);
      expect((await fixture.signups()).map(({ state }) => state)).toEqual(Array(12).fill('received'));
    } finally {
      await release();
    }
    await processed;
  });

  describe('claims', () => {
    beforeEach(() => fixture.process());

    it('takes some of each account, however many one has', async () => {
      for (let i = 0; i < 60; i++) await fixture.submit(form, { email: `a${i}@example.org` }).expect(200);
      await other.submit(otherForm, { email: 'ada@example.org' }).expect(200);
      const signups = service.app.get(SignupRepository, { strict: false });
      const claimed = await signups.claimDueAcrossAccounts(service.clock.now(), { accounts: 5, perAccount: 10 });
      const counts = [fixture, other].map(({ account }) => claimed.filter(({ accountId }) => accountId === account.id));
      expect(counts.map(({ length }) => length)).toEqual([10, 1]);
      const next = await signups.claimDueAcrossAccounts(service.clock.now(), { accounts: 5, perAccount: 10 });
      expect(new Set([...claimed, ...next].map(({ id }) => id)).size).toBe(21);
    });

    it('does not count mails for addresses, or admit them, once the daily cap is used up', async () => {
      const capped = await FormFixture.open(service, { dailySendCap: 1 });
      const small = await capped.createForm();
      for (let i = 0; i < 30; i++) await capped.submit(small, { email: `a${i}@example.org` }).expect(200);
      await capped.process();
      const inState = async (wanted: string) => (await capped.signups()).filter(({ state }) => state === wanted).length;
      expect(await inState('mailed')).toBe(1);
      expect(await inState('received')).toBeGreaterThanOrEqual(20);
      await service.query('UPDATE accounts SET daily_send_cap = 100 WHERE id = $1', [capped.account.id]);
      await capped.process();
      expect(await inState('mailed')).toBe(1);
      service.clock.advance({ minutes: 16 });
      await capped.process();
      expect(await inState('mailed')).toBe(30);
    });
  });
});
