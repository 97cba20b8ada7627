import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ImportContacts } from '../../../src/modules/contacts/application/import-contacts.service.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import { importCsv } from '../../support/csv-imports.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'Ada@example.com';
const PROOF = { consentWording: 'Yes, send me news', consentIp: '192.0.2.1', consentEvidence: 'list 7' };
const MAPPING = {
  ...{ email: 'email', consentAt: 'OPTIN_TIME', consentIp: 'OPTIN_IP', consentWording: 'words' },
  consentEvidence: 'proof',
};

describe('Consents of imported contacts', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const before = (days: number) => new Date(service.clock.now().getTime() - days * 86_400_000).toISOString();
  const importJson = async (...contacts: object[]) =>
    (await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200)).body;

  it('are recorded for rows with a time, of new and of known contacts', async () => {
    const { body: known } = await account.asAdmin('post', '/api/contacts').send({ email: 'bob@example.com' });
    const consentAt = before(400);
    await importJson(
      { email: EMAIL, consentAt, ...PROOF },
      { email: 'bob@example.com', consentAt },
      { email: 'c@d.example' },
    );
    const [ada] = await consentsOf(account, { email: EMAIL });
    expect(ada).toMatchObject({
      ...{ address: EMAIL, action: 'granted', source: 'import', occurredAt: consentAt, ip: '192.0.2.1' },
      ...{ wording: { version: null, text: PROOF.consentWording }, evidence: 'list 7' },
      ...{ contactId: expect.stringMatching(/^c/), actor: { type: 'user', id: expect.any(String) } },
    });
    expect(await consentsOf(account, { email: 'bob@example.com' })).toMatchObject([
      { contactId: known.id, wording: null, ip: null },
    ]);
    expect(await consentsOf(account)).toHaveLength(2);
    expect(await standingOf(account, { email: EMAIL })).toBe('granted');
  });

  it('are not recorded for a row that is refused because of what the contact has', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n]));
    await account.asAdmin('post', '/api/contacts').send({ email: EMAIL, attributes: many }).expect(201);
    const report = await importJson({ email: EMAIL, attributes: { more: 1 }, consentAt: before(9) });
    expect(report).toMatchObject({ created: 0, updated: 0, errors: [{ index: 0 }] });
    expect(await consentsOf(account)).toEqual([]);
    expect(await standingOf(account, { email: EMAIL })).toBe('none');
  });

  it('are recorded once, however often they are imported; altered ones are recorded beside them', async () => {
    const row = { email: EMAIL, consentAt: before(9), ...PROOF };
    for (let repeated = 1; repeated <= 2; repeated++) await importJson(row);
    expect(await consentsOf(account)).toHaveLength(1);
    await importJson({ ...row, consentWording: 'Other words' });
    await importJson({ ...row, consentIp: null });
    const texts = (await consentsOf(account)).map(({ wording, ip }) => [wording?.text, ip]);
    expect(texts).toEqual([
      [PROOF.consentWording, null],
      ['Other words', PROOF.consentIp],
      [PROOF.consentWording, PROOF.consentIp],
    ]);
  });

  it('are recorded for each of several rows with one address, identical ones once', async () => {
    const [at9, at8, at7, at6] = [before(9), before(8), before(7), before(6)];
    const row = { email: EMAIL, consentAt: at9 };
    await importJson(row, row, { email: EMAIL.toLowerCase(), consentAt: at8 }, { email: EMAIL, firstName: 'Ada' });
    const times = async () => (await consentsOf(account)).map(({ occurredAt }) => occurredAt).sort();
    expect(await times()).toEqual([at9, at8]);
    const file = `email,OPTIN_TIME\n${EMAIL},${at7}\n${EMAIL},\n${EMAIL},${at6}\n`;
    await importCsv(service, account, file, { mapping: { email: 'email', consentAt: 'OPTIN_TIME' } });
    expect(await times()).toEqual([at9, at8, at7, at6]);
  });

  it('do not undo a later withdrawal', async () => {
    await recordConsent(account, { email: EMAIL, action: 'withdrawn', occurredAt: before(2) }).expect(201);
    for (let repeated = 1; repeated <= 2; repeated++)
      await importJson({ email: EMAIL, consentAt: before(3).slice(0, 10) });
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
    expect(await consentsOf(account)).toHaveLength(2);
  });

  it.each([
    [{ consentAt: '2999-01-01' }, 'consentAt must not be in the future'],
    [{ consentAt: 'soon' }, 'consentAt must be an ISO 8601 date or date-time'],
    [{ consentAt: 1_700_000_000 }, 'consentAt must be a string'],
    [{ consentAt: '0000-01-01' }, 'consentAt must not be before 1970'],
    [{ consentIp: 'x' }, 'consentIp must be an IPv4 or IPv6 address'],
    [{ consentWording: 'w'.repeat(2_001) }, 'consentWording must be shorter than or equal to 2000 characters'],
    [{ consentWording: 'a\0' }, 'consentWording holds a character that cannot be stored'],
    [{ consentEvidence: '\udfff' }, 'consentEvidence holds a character that cannot be stored'],
    [{ consent: {} }, 'consent is not a known field'],
  ])('are not recorded for a row with %j, which is refused', async (fields, message) => {
    const report = await importJson({ email: EMAIL, consentAt: before(1), ...fields }, { email: 'bob@example.com' });
    expect(report).toMatchObject({ created: 1, errors: [{ index: 0, message }] });
    expect(await consentsOf(account)).toEqual([]);
  });

  it('are recorded for suppressed people, who stay suppressed, but not for those who have been erased', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
    const { body: bob } = await account.asAdmin('post', '/api/contacts').send({ email: 'bob@example.com' }).expect(201);
    await account.asAdmin('post', `/api/contacts/${bob.id}/erase`).expect(200);
    const consentAt = before(1);
    const report = await importJson({ email: EMAIL, consentAt }, { email: 'bob@example.com', consentAt });
    expect(report.errors).toMatchObject([{ index: 1, message: 'bob@example.com is suppressed' }]);
    expect((await consentsOf(account)).map(({ address }) => address)).toEqual([EMAIL]);
    const { body } = await account.asMember('get', '/api/contacts').query({ search: 'ada' }).expect(200);
    expect(body.items).toMatchObject([{ status: 'unsubscribed' }]);
  });

  it('come from the columns of a file, with the times of other services', async () => {
    const file = [
      'email,OPTIN_TIME,OPTIN_IP,words,proof',
      `${EMAIL},2021-03-12 14:25:11,192.0.2.1,"Yes, ""send"" me\nnews",'=1+1`,
      'bob@example.com,,192.0.2.2,Yes,',
      'cyd@example.com,2999-01-01,,,',
    ].join('\n');
    for (let repeated = 1; repeated <= 2; repeated++) {
      const report = await importCsv(service, account, file, { mapping: MAPPING });
      expect(report).toMatchObject({ failed: 1, errors: [{ message: 'consentAt must not be in the future' }] });
    }
    expect(await consentsOf(account)).toMatchObject([
      {
        ...{ address: EMAIL, occurredAt: '2021-03-12T14:25:11.000Z', ip: '192.0.2.1', evidence: '=1+1' },
        ...{ wording: { text: 'Yes, "send" me\nnews' }, actor: { type: 'user', id: expect.any(String) } },
      },
    ]);
  });

  it('are not recorded by a dry run', async () => {
    const file = `email,OPTIN_TIME\n${EMAIL},2021-03-12\n`;
    const mapping = { email: 'email', consentAt: 'OPTIN_TIME' };
    await importCsv(service, account, file, { mapping, dryRun: 'true' });
    expect(await consentsOf(account)).toEqual([]);
  });

  it('are recorded once by two imports at the same time', async () => {
    const imports = service.app.get(ImportContacts, { strict: false });
    const row = { email: EMAIL, consentAt: before(3) };
    await imports.import(account.id, [{ email: EMAIL }]);
    await Promise.all([imports.import(account.id, [row]), imports.import(account.id, [row])]);
    expect(await consentsOf(account)).toHaveLength(1);
  });
});
