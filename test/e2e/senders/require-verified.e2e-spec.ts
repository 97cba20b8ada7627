import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SenderDirectory } from '../../../src/modules/senders/index.js';
import { DomainError } from '../../../src/shared/domain-error.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

describe('the addresses that an account may send from', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;
  let directory: SenderDirectory;

  beforeAll(async () => {
    service = await TestService.shared();
    directory = service.app.get(SenderDirectory, { strict: false });
    account = await service.createAccount();
    other = await service.createAccount();
    await account.verifySender('ada@example.com');
    await addDomain(account, 'xn--bcher-kva.example', 'verified', 'verified', 'verified');
    await addDomain(other, 'other.example', 'verified', 'verified', 'verified');
  });
  afterAll(() => service.stop());

  const addDomain = (owner: TestAccount, name: string, dkim: string, spf: string, mailFrom: string) =>
    service.query(
      `INSERT INTO domains (id, account_id, name, dkim_status, spf_status, mail_from_status, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [newId(new Date()), owner.id, name, dkim, spf, mailFrom],
    );
  const addPendingSender = (email: string) =>
    service.query(
      `INSERT INTO senders (id, account_id, email, normalised_email, status, created_at)
       VALUES ($1, $2, $3, $3, 'pending', now())`,
      [newId(new Date()), account.id, email],
    );
  const notVerified = (email: string) =>
    new DomainError('invalid', 'sender_not_verified', `${email} is not verified for sending`);

  it.each([
    ['ada@example.com', 'a verified sender'],
    [' ADA@Example.COM ', 'a verified sender in another spelling'],
    ['anyone@bücher.example', 'an address at a verified domain'],
    ['Anyone@XN--BCHER-KVA.example', 'an address at a verified domain in punycode'],
  ])('accepts %j: %s', async (email) => {
    await directory.requireVerified(account.id, email);
  });

  it.each([
    ['bob@example.com', 'another address at the domain of a single sender'],
    ['ada@mail.bücher.example', 'a sub-domain of a verified domain'],
    ['ada@example', 'the parent of a domain'],
    ['x@other.example', 'a domain of another account'],
    ['ada', 'no address'],
    ['', 'nothing'],
  ])('refuses %j: %s', async (email) => {
    await expect(directory.requireVerified(account.id, email)).rejects.toEqual(notVerified(email));
  });

  it('names the address as given, trimmed', async () => {
    await expect(directory.requireVerified(account.id, ' Eve@Example.COM ')).rejects.toEqual(
      notVerified('Eve@Example.COM'),
    );
  });

  it('refuses a pending sender unless its domain is verified', async () => {
    await addPendingSender('pending@example.com');
    await expect(directory.requireVerified(account.id, 'pending@example.com')).rejects.toEqual(
      notVerified('pending@example.com'),
    );
    await addPendingSender('pending@xn--bcher-kva.example');
    await directory.requireVerified(account.id, 'pending@bücher.example');
  });

  it.each([
    ['pending', 'verified', 'verified'],
    ['verified', 'pending', 'verified'],
    ['verified', 'verified', 'pending'],
    ['failed', 'verified', 'verified'],
  ])('refuses a domain with DKIM %s, SPF %s, MAIL FROM %s', async (dkim, spf, mailFrom) => {
    const name = `${newId(new Date())}.example`;
    await addDomain(account, name, dkim, spf, mailFrom);
    await expect(directory.requireVerified(account.id, `a@${name}`)).rejects.toEqual(notVerified(`a@${name}`));
  });

  it('answers concurrent checks of several accounts each for its own account', async () => {
    const asked = Array.from({ length: 300 }, (_, i) => ({
      asker: i % 2 ? account : other,
      email: ['ada@example.com', 'a@bücher.example', 'a@other.example'][i % 3]!,
    }));
    const answers = await Promise.allSettled(
      asked.map(({ asker, email }) => directory.requireVerified(asker.id, email)),
    );
    const mayOtherSend = (email: string) => email === 'a@other.example';
    expect(answers.map(({ status }) => status === 'fulfilled')).toEqual(
      asked.map(({ asker, email }) => mayOtherSend(email) === (asker === other)),
    );
  });

  it('fails a check that the database refuses, but no other check of its batch', async () => {
    const answers = await Promise.allSettled(
      ['ada@example.com', 'a\0da@example.com', 'ada@example.com', 'ada@example.com'].map((email) =>
        directory.requireVerified(account.id, email),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('fails while the database does not answer', async () => {
    const check = () => directory.requireVerified(account.id, 'ada@example.com');
    await service.withoutDatabase(() => expect(check()).rejects.toThrow('unavailable'));
  });
});
