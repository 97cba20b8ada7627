import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { UserRepository } from '../../../src/modules/accounts/application/ports/user.repository.js';
import type { User } from '../../../src/modules/accounts/domain/user.js';
import { DomainRepository } from '../../../src/modules/domains/application/ports/domain.repository.js';
import { SigningKeys } from '../../../src/modules/domains/application/ports/signing-keys.js';
import type { Domain } from '../../../src/modules/domains/domain/domain.js';
import { ApiKeyRepository } from '../../../src/modules/keys/application/ports/api-key.repository.js';
import { DeliveryPauses } from '../../../src/modules/provider-settings/application/ports/delivery-pauses.js';
import { SmsAccountStatuses } from '../../../src/modules/provider-settings/application/ports/sms-account-statuses.js';
import { DueSenders, SenderRepository } from '../../../src/modules/senders/application/ports/sender.repository.js';
import { SesVerificationRequests } from '../../../src/modules/senders/application/ports/sender-verification.js';
import { VerifiedSenders } from '../../../src/modules/senders/application/ports/verified-senders.js';
import { TemplateRepository } from '../../../src/modules/templates/application/ports/template.repository.js';
import { TemplateVersionRepository } from '../../../src/modules/templates/application/ports/template-version.repository.js';
import { TwoAccounts } from '../../support/two-accounts.js';

const PAGE = { page: 1, limit: 100 };
const VERIFIED = { dkim: 'verified', spf: 'verified', mailFrom: 'verified' };
const PENDING = { dkim: 'pending', spf: 'pending', mailFrom: 'pending' };

let accounts: TwoAccounts;

beforeAll(async () => {
  accounts = await TwoAccounts.start();
});
afterAll(() => accounts.stop());

const idOf = async (table: string, accountId: string, condition = 'true'): Promise<string> => {
  const text = `SELECT id FROM ${table} WHERE account_id = $1 AND ${condition} ORDER BY id DESC LIMIT 1`;
  return (await accounts.service.query<{ id: string }>(text, [accountId]))[0]!.id;
};

describe('Users of another account', () => {
  let users: UserRepository;
  let id: string;

  beforeAll(async () => {
    users = accounts.get(UserRepository);
    id = await idOf('users', accounts.other.id, "role = 'member'");
  });

  it('are not found', () => accounts.expectClosed((accountId) => users.find(accountId, id), null));

  it('are not counted as admins', async () => {
    expect(await users.countAdmins(accounts.own.id)).toBe(1);
  });

  it('are not listed', async () => {
    expect((await users.list(accounts.own.id, PAGE)).total).toBe(2);
  });

  it('are not found by an address that both have', async () => {
    const rows = await Promise.all(
      accounts.both.map(async (account) => (await users.find(account.id, await idOf('users', account.id)))!),
    );
    const add = (user: User) =>
      users.add(
        Object.assign(user, { id: accounts.newId(), email: 'a@both.example', normalisedEmail: 'a@both.example' }),
      );
    for (const user of rows) await add(user);
    const found = await users.findByEmailAcrossAccounts('a@both.example', 10, accounts.own.id);
    expect(found.map(({ accountId }) => accountId)).toEqual([accounts.own.id]);
    expect(await users.findByEmailAcrossAccounts('a@both.example', 10)).toHaveLength(2);
  });

  it('are not changed', async () => {
    const user = (await users.find(accounts.other.id, id))!;
    await accounts.expectClosed((accountId) =>
      users.save(Object.assign(user, { accountId, updatedAt: new Date(user.updatedAt.getTime() + 1) })),
    );
  });

  it('are not removed', () => accounts.expectClosed((accountId) => users.remove(accountId, id)));
});

describe('Keys of another account', () => {
  let keys: ApiKeyRepository;
  let id: string;

  beforeAll(async () => {
    keys = accounts.get(ApiKeyRepository);
    for (const account of accounts.both) ({ id } = await account.createKey());
  });

  it('are not found', () => accounts.expectClosed((accountId) => keys.find(accountId, id), null));

  it('are not listed', async () => {
    const { items } = await keys.list(accounts.own.id, PAGE, { status: null, mode: null }, accounts.now);
    expect(items.map(({ accountId }) => accountId)).toEqual([accounts.own.id]);
  });

  it('are not changed', () =>
    accounts.expectClosed((accountId) => keys.changeUnlessRevoked(accountId, id, { name: 'Changed' }), false));

  it('are not revoked', () => accounts.expectClosed((accountId) => keys.revoke(accountId, id, accounts.now), null));
});

describe('Domains of another account', () => {
  let domains: DomainRepository;
  let id: string;

  beforeAll(async () => {
    domains = accounts.get(DomainRepository);
    await accounts.other.addDomain('theirs.example', PENDING);
    id = await idOf('domains', accounts.other.id);
  });

  const domainOf = async (accountId: string, name: string): Promise<Domain> =>
    Object.assign((await domains.find(accounts.other.id, id))!, { id: accounts.newId(), accountId, name });

  it('are not found', () => accounts.expectClosed((accountId) => domains.find(accountId, id), null));

  it('keep nobody from adding one of the same name, and are not counted', async () => {
    expect(await domains.addIfAbsent(await domainOf(accounts.own.id, 'theirs.example'), 1)).toBe('added');
    expect(await domains.addIfAbsent(await domainOf(accounts.own.id, 'theirs.example'), 2)).toBe('exists');
    expect(await domains.addIfAbsent(await domainOf(accounts.own.id, 'more.example'), 1)).toBe('too_many');
  });

  it('do not count as verified ones', async () => {
    for (const name of ['v1.example', 'v2.example']) await accounts.other.addDomain(name, VERIFIED);
    expect(await domains.addIfAbsent(await domainOf(accounts.own.id, 'more.example'), 1)).toBe('too_many');
  });

  it('are those that others use', async () => {
    const { providerKey } = (await domains.find(accounts.other.id, id))!;
    expect(await domains.isUsedByOthers(accounts.own.id, 'theirs.example', [providerKey])).toBe(true);
    expect(await domains.isUsedByOthers(accounts.other.id, 'v1.example', [providerKey])).toBe(false);
  });

  it('are not changed', () =>
    accounts.expectClosed(
      (accountId) => domains.change(accountId, id, (domain) => Object.assign(domain, { dkimSelector: 'changed' })),
      null,
    ));

  it('are not removed', () => accounts.expectClosed((accountId) => domains.remove(accountId, id), null));

  it('do not sign', async () => {
    await accounts.other.addDomain('signed.example', VERIFIED);
    const [{ name } = { name: '' }] = await accounts.service.query<{ name: string }>(
      `UPDATE domains SET sealed_dkim_key = 'sealed', dkim_selector = 's', set_up_for = 'smtp'
       WHERE name = 'signed.example' RETURNING name`,
    );
    await accounts.expectClosed((accountId) => accounts.get(SigningKeys).find(accountId, name), null);
  });
});

describe('Senders of another account', () => {
  let senders: SenderRepository;
  let id: string;

  beforeAll(async () => {
    senders = accounts.get(SenderRepository);
    await accounts.other.verifySender('hello@theirs.example');
    id = await idOf('senders', accounts.other.id);
  });
  const isVerified = (accountId: string, provider: string | null = null) =>
    accounts.get(VerifiedSenders).isVerified({
      accountId,
      normalisedEmail: 'hello@theirs.example',
      domainName: 'theirs.example',
      provider: provider as never,
    });

  it('are not found', () => accounts.expectClosed((accountId) => senders.find(accountId, id), null));

  it('verify no address', () => accounts.expectClosed((accountId) => isVerified(accountId), false));

  it('are not proven by the settings of another account', async () => {
    await accounts.service.query(
      `UPDATE accounts SET email_provider = 'ses', ses = '{"region": "eu-west-1"}' WHERE id = $1`,
      [accounts.own.id],
    );
    expect(await isVerified(accounts.other.id)).toBe(true);
    // Whichever account PostgreSQL reads first.
    await accounts.service.query('UPDATE accounts SET name = name WHERE id = $1', [accounts.other.id]);
    expect(await isVerified(accounts.other.id)).toBe(true);
    await accounts.get(DueSenders).unverifyOutdatedAcrossAccounts();
    expect(await senders.find(accounts.other.id, id)).toMatchObject({ status: 'verified' });
    await accounts.service.query(`UPDATE accounts SET email_provider = 'smtp', ses = NULL WHERE id = $1`, [
      accounts.own.id,
    ]);
  });

  it('count as requested by others', async () => {
    await accounts.service.query(`UPDATE senders SET made_in = '["ses 1"]' WHERE id = $1`, [id]);
    const requests = accounts.get(SesVerificationRequests);
    expect(await requests.isRequestedByOthers(accounts.own.id, 'hello@theirs.example')).toBe(true);
    expect(await requests.isRequestedByOthers(accounts.other.id, 'hello@theirs.example')).toBe(false);
  });

  it('get no identity', () =>
    accounts.expectClosed(
      (accountId) => accounts.get(SesVerificationRequests).recordIdentity(accountId, id, 'smtp'),
      false,
    ));

  it('get no other token and are not verified', async () => {
    await accounts.service.query(`UPDATE senders SET status = 'pending', verified_at = NULL WHERE id = $1`, [id]);
    const replacement = {
      hash: Buffer.alloc(32, 7),
      expiresAt: accounts.now,
      providerKey: 'smtp' as const,
      verificationProvider: 'smtp' as never,
      nextCheckAt: null,
    };
    await accounts.expectClosed((accountId) => senders.replaceToken(accountId, id, replacement), null);
    await accounts.expectClosed((accountId) => senders.verify(accountId, id, 'smtp', accounts.now), null);
  });

  it('are not removed', () => accounts.expectClosed((accountId) => senders.remove(accountId, id), null));

  it('are verified by a verified domain of their own account only', async () => {
    await accounts.other.addDomain('verified.example', VERIFIED);
    const check = (accountId: string) =>
      accounts.get(VerifiedSenders).isVerified({
        accountId,
        normalisedEmail: 'hello@verified.example',
        domainName: 'verified.example',
        provider: null,
      });
    await accounts.expectClosed(check, false);
  });

  it('are not verified by their link while another account has verified the domain', async () => {
    for (const account of accounts.both) await account.verifySender('hi@verified.example');
    const check = (accountId: string) =>
      accounts.get(VerifiedSenders).isVerified({
        accountId,
        normalisedEmail: 'hi@verified.example',
        domainName: 'verified.example',
        provider: null,
      });
    expect(await check(accounts.own.id)).toBe(false);
    await accounts.own.addDomain('half.example', VERIFIED);
    await accounts.own.verifySender('hi@half.example');
    const ofHalf = { normalisedEmail: 'hi@half.example', domainName: 'half.example', provider: null };
    expect(await accounts.get(VerifiedSenders).isVerified({ accountId: accounts.own.id, ...ofHalf })).toBe(true);
  });
});

describe('Templates of another account', () => {
  let templates: TemplateRepository;
  let versions: TemplateVersionRepository;
  let id: string;

  beforeAll(async () => {
    templates = accounts.get(TemplateRepository);
    versions = accounts.get(TemplateVersionRepository);
    const { body } = await accounts.other
      .asAdmin('post', '/api/templates')
      .send({ name: 'Theirs', subject: 'One', text: 'text' })
      .expect(201);
    ({ id } = body as { id: string });
    await accounts.other.asAdmin('patch', `/api/templates/${id}`).send({ subject: 'Two' }).expect(200);
  });

  it('are not found', () => accounts.expectClosed((accountId) => templates.find(accountId, id), null));

  it('are not locked', () =>
    accounts.expectClosed(
      (accountId) => accounts.service.database.run(() => templates.findAndLock(accountId, id)),
      null,
    ));

  it('show neither their versions nor one of them', async () => {
    await accounts.expectClosed((accountId) => versions.list(accountId, id), []);
    for (const version of [1, 2])
      await accounts.expectClosed((accountId) => versions.find(accountId, id, version), null);
  });

  it('are not changed', async () => {
    const template = (await templates.find(accounts.other.id, id))!;
    await accounts.expectClosed((accountId) => templates.save(Object.assign(template, { accountId, name: 'Changed' })));
  });

  it('lose no versions', async () => {
    const former = (await versions.find(accounts.other.id, id, 1))!;
    let version = 1_000;
    await accounts.expectClosed((accountId) => versions.add(accountId, id, { ...former, version: version++ }));
  });

  it('are not removed', () => accounts.expectClosed((accountId) => templates.remove(accountId, id), null));
});

describe('What the service notes about another account', () => {
  it('does not pause deliveries', async () => {
    const pauses = accounts.get(DeliveryPauses);
    const until = new Date(accounts.now.getTime() + 60_000);
    await pauses.begin(accounts.other.id, 'email', { reason: 'down', until, settingsAt: new Date(8.64e15) });
    await accounts.expectClosed((accountId) => pauses.find(accountId, 'email'), null);
    await accounts.expectClosed((accountId) => pauses.end(accountId, 'email'));
  });

  it('is no standing of the own SMS account', async () => {
    const statuses = accounts.get(SmsAccountStatuses);
    const status = { sandbox: true, verifiedNumbers: [], originationNumbers: [], checkedAt: accounts.now };
    await statuses.record(accounts.other.id, status, new Date(8.64e15));
    await accounts.expectClosed((accountId) => statuses.find(accountId), null);
    await accounts.expectClosed((accountId) => statuses.remove(accountId));
  });
});
