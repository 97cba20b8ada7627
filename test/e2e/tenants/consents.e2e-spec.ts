import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ConsentContacts } from '../../../src/modules/consent/application/ports/consent-contacts.js';
import { ConsentRepository } from '../../../src/modules/consent/application/ports/consent.repository.js';
import { RecordConsents, type NewConsent } from '../../../src/modules/consent/index.js';
import { ContactAudience } from '../../../src/modules/contacts/index.js';
import { SuppressionRepository } from '../../../src/modules/suppression/application/ports/suppression.repository.js';
import { RECIPIENT_ERASURE, type RecipientErasure } from '../../../src/shared/ports/recipient-erasure.js';
import type { TestAccount } from '../../support/account.js';
import { addTopic } from '../../support/topics.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const EMAIL = 'ada@example.org';

let accounts: TwoAccounts;
let consents: ConsentRepository;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
  consents = accounts.get(ConsentRepository);
});
afterAll(() => accounts.stop());

const record = async ({ id: accountId }: TestAccount, changes: Partial<NewConsent> = {}) => {
  const consent = { accountId, channel: 'email', address: EMAIL, action: 'granted', source: 'api' } as const;
  const [id] = await accounts
    .get(RecordConsents)
    .record([{ ...consent, actor: { type: 'system', id: null }, ...changes }]);
  return id!;
};
const requireConsent = (account: TestAccount, requiredFor = 'campaigns') =>
  account.asAdmin('patch', '/api/settings').send({ consent: { requiredFor } }).expect(200);

describe('A consent in another account', () => {
  let theirs: string;

  beforeEach(async () => {
    await accounts.service.query('DELETE FROM standing_consents');
    theirs = await record(accounts.other);
  });

  it('is not read', async () => {
    const page = { beforeId: null, limit: 10 };
    await accounts.expectClosed((accountId) => consents.find(accountId, theirs), null);
    await accounts.expectClosed((accountId) => consents.listStanding(accountId, 'email', EMAIL), []);
    const filter = { address: { channel: 'email', address: EMAIL } } as const;
    const found = async (accountId: string) =>
      (await consents.list(accountId, filter, page)).some(({ id }) => id === theirs);
    await accounts.expectClosed(found, false);
    const all = async (accountId: string) => (await consents.list(accountId, {}, page)).some(({ id }) => id === theirs);
    await accounts.expectClosed(all, false);
  });

  it('lets nothing be sent, and none is required because another account requires it', async () => {
    await requireConsent(accounts.own);
    await accounts.expectClosed((accountId) => consents.isRequired(accountId).then((is) => !is), false);
    const lacking = (accountId: string) => consents.findLacking(accountId, [EMAIL], null);
    await accounts.expectClosed(lacking, new Set([EMAIL]));
    await requireConsent(accounts.own, 'none');
    await requireConsent(accounts.other);
    expect(await lacking(accounts.own.id)).toEqual(new Set());
    expect(await consents.isRequired(accounts.own.id)).toBe(false);
    await requireConsent(accounts.other, 'none');
  });

  it('is neither seen nor replaced by a record of the same address', async () => {
    const before = await consents.listStanding(accounts.other.id, 'email', EMAIL);
    const mine = await record(accounts.own, { action: 'withdrawn', condition: 'unless_withdrawn' });
    expect(mine).not.toBeNull();
    expect(await consents.listStanding(accounts.other.id, 'email', EMAIL)).toEqual(before);
    expect(await record(accounts.other, { action: 'withdrawn', condition: 'unless_withdrawn' })).not.toBeNull();
    const occurredAt = new Date(accounts.now.getTime() - 1_000);
    await record(accounts.other, { condition: 'unless_recorded', source: 'import', occurredAt });
    const sameHere = await record(accounts.own, { condition: 'unless_recorded', source: 'import', occurredAt });
    expect(sameHere).not.toBeNull();
  });

  it('does not move the time of a record that is made now', async () => {
    accounts.service.clock.advance({ minutes: 5 });
    const ahead = await record(accounts.other);
    accounts.service.clock.advance({ minutes: -5 });
    const mine = await consents.find(accounts.own.id, await record(accounts.own));
    const other = await consents.find(accounts.other.id, ahead);
    expect(mine!.occurredAt < other!.occurredAt).toBe(true);
  });

  it('is not erased', async () => {
    const erasure = accounts.get<RecipientErasure>(RECIPIENT_ERASURE.consents as never);
    await accounts.expectClosed(async (accountId) => {
      await erasure.erasePart(accountId, EMAIL, '');
    }, undefined);
  });

  it('is of no contact of this account', async () => {
    const { body } = await accounts.other.asAdmin('post', '/api/contacts').send({ email: EMAIL });
    const contacts = accounts.get(ConsentContacts);
    await accounts.expectClosed((accountId) => contacts.findIdsAcrossAccounts([{ accountId, email: EMAIL }]), [null]);
    expect(await contacts.findIdsAcrossAccounts([{ accountId: accounts.other.id, email: EMAIL }])).toEqual([body.id]);
  });

  it('makes nobody part of an audience', async () => {
    const email = 'grace@example.org';
    for (const account of accounts.both)
      await account
        .asAdmin('post', '/api/contacts')
        .send({ email, tags: ['readers'] })
        .expect(201);
    await record(accounts.other, { address: email });
    const audience = accounts.get(ContactAudience);
    const readers = { listIds: [], tags: ['readers'], excludeListIds: [], excludeTags: [] };
    const count = (accountId: string) => audience.count(accountId, readers, { requiresConsent: true, topic: null });
    await accounts.expectClosed(count, { active: 0, suppressed: 0, withoutConsent: 1, outOfTopic: 0 });
    const active = async (accountId: string) => (await audience.countConsents(accountId, null)).active;
    await accounts.expectClosed(active, 0);
    const { id } = await addTopic(accounts.other);
    const countOf = (accountId: string) => audience.countConsents(accountId, { id, byDefault: 'in' });
    await accounts.expectClosed(countOf, { active: 0, withoutConsent: 1, outOfTopic: 0 });
  });

  it('lets no message of a campaign be submitted', async () => {
    const email = 'hedy@example.org';
    await record(accounts.other, { address: email });
    const suppressions = accounts.get(SuppressionRepository);
    for (const account of accounts.both) await requireConsent(account);
    const campaigns = new Map<string, string>();
    for (const account of accounts.both) {
      const plan = { name: 'News', fromEmail: 'hello@example.org', subject: 'News', text: '{{unsubscribeUrl}}' };
      const { body } = await account
        .asAdmin('post', '/api/campaigns')
        .send({ ...plan, audience: {} })
        .expect(201);
      campaigns.set(account.id, body.id as string);
    }
    const refusal = (accountId: string) =>
      suppressions.findRefusal({
        accountId,
        channel: 'email',
        address: email,
        campaignId: campaigns.get(accountId)!,
        topicId: null,
      });
    await accounts.expectClosed(refusal, 'no_consent');
  });
});
