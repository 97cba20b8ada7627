import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ContactLocks } from '../../../src/modules/contacts/application/ports/contact-locks.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

describe('POST /api/contacts/import', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const upload = (contacts: unknown, listId?: string) =>
    account.asAdmin('post', '/api/contacts/import').send({ contacts, ...(listId ? { listId } : {}) });
  const createList = async (of = account, name = 'Newsletter') =>
    (await of.asAdmin('post', '/api/lists').send({ name }).expect(201)).body.id as string;
  const list = async (query = '') =>
    (await account.asMember('get', `/api/contacts?limit=100${query}`).expect(200)).body.items as {
      email: string;
      status: string;
      tags: string[];
    }[];
  const people = (count: number, change: object = {}) =>
    Array.from({ length: count }, (_, i) => ({
      email: `person${i}@example.com`,
      firstName: `First ${i}`,
      tags: ['crm', `batch ${i % 3}`],
      ...change,
    }));

  it('writes exactly what is sent, and changes nothing the second time', async () => {
    const listId = await createList();
    await upload(people(50), listId).expect(200, { created: 50, updated: 0, skipped: 0, errors: [] });
    const before = await list();
    expect(before).toHaveLength(50);
    const [first] = await list('&search=person0@');
    expect(first).toMatchObject({ status: 'active', listIds: [listId], tags: ['batch 0', 'crm'] });
    service.clock.advance({ seconds: 1 });
    await upload(people(50), listId).expect(200, { created: 0, updated: 0, skipped: 50, errors: [] });
    expect(await list()).toEqual(before);
    const changed = [...people(40), ...people(10, { company: 'Engines' })];
    await upload(changed).expect(200, { created: 0, updated: 10, skipped: 40, errors: [] });
    expect((await list()).filter((contact) => before.some((old) => old.email === contact.email))).toHaveLength(50);
    expect(await list('&search=engines')).toHaveLength(10);
  });

  it('reports the index of text that cannot be stored, too', async () => {
    const { body } = await upload([
      { email: 'ada@example.com' },
      { email: 'nul\0@example.com' },
      { email: 'bob@example.com', firstName: 'a\0' },
      { email: 'carol@example.com', company: 'x\ud800' },
      { email: 'dan@example.com', tags: ['\udc00'], listIds: ['\ud800'] },
      { email: 'eve@example.com', 'a\0': 1 },
    ]).expect(200);
    expect(body).toMatchObject({ created: 1, updated: 0, skipped: 0 });
    expect(body.errors).toEqual([
      { index: 1, email: 'nul\uFFFD@example.com', message: 'email must be an email address' },
      { index: 2, email: 'bob@example.com', message: 'firstName must not hold line breaks or control characters' },
      { index: 3, email: 'carol@example.com', message: 'company holds a character that cannot be stored' },
      {
        index: 4,
        email: 'dan@example.com',
        message:
          'each value in tags must be a line of 1 to 100 characters; each value in listIds must be a line of 1 to 100 characters',
      },
      { index: 5, email: 'eve@example.com', message: 'a\uFFFD is not a known field' },
    ]);
    await upload([], 'a\0').expect(400, badRequest('listId holds a character that cannot be stored'));
  });

  it('writes the valid rows and reports the index of each invalid one', async () => {
    const other = await service.createAccount();
    const [mine, theirs] = [await createList(), await createList(other)];
    const { body } = await upload([
      { email: 'ada@example.com', listIds: [mine] },
      { email: 'nobody' },
      { email: 'bob@example.com', firstName: 'x'.repeat(300), tags: Array(1_000).fill('x'), consent: true },
      null,
      'eve@example.com',
      { email: 'eve@example.com', listIds: [mine, theirs] },
      { email: 5, tags: [''] },
      { email: 'carol@example.com', status: 'bounced' },
      { email: 'dan@example.com' },
    ]).expect(200);
    expect(body).toEqual({
      created: 2,
      updated: 0,
      skipped: 0,
      errors: [
        { index: 1, email: 'nobody', message: 'email must be an email address' },
        {
          index: 2,
          email: 'bob@example.com',
          message:
            'consent is not a known field; firstName must be shorter than or equal to 200 characters; tags must contain no more than 100 elements',
        },
        { index: 3, email: null, message: 'must be an object' },
        { index: 4, email: null, message: 'must be an object' },
        { index: 5, email: 'eve@example.com', message: `listIds: there is no list ${theirs}` },
        {
          index: 6,
          email: null,
          message: 'email must be an email address; each value in tags must be a line of 1 to 100 characters',
        },
        { index: 7, email: 'carol@example.com', message: 'status must be active or unsubscribed' },
      ],
    });
    expect((await list()).map(({ email }) => email).sort()).toEqual(['ada@example.com', 'dan@example.com']);
  });

  it('writes the last of several rows with one address', async () => {
    const rows = [
      { email: 'ada@example.com', firstName: 'First', company: 'Kept from no other row' },
      { email: 'bob@example.com' },
      { email: ' ADA@example.com', firstName: 'Last' },
    ];
    await upload(rows).expect(200, { created: 2, updated: 0, skipped: 1, errors: [] });
    expect(await list('&search=ada')).toMatchObject([{ email: 'ADA@example.com', firstName: 'Last', company: null }]);
  });

  it('leaves one contact per address after overlapping concurrent batches', async () => {
    const batches = Array.from({ length: 6 }, (_, i) => people(300, { lastName: `Writer ${i}` }));
    const answers = await Promise.all(
      batches.map((batch, i) => upload(i % 2 ? batch : batch.toReversed()).expect(200)),
    );
    const created = answers.reduce((sum, { body }) => sum + (body.created as number), 0);
    expect(created).toBe(300);
    const [{ count }] = (await service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM contacts WHERE account_id = $1',
      [account.id],
    )) as [{ count: number }];
    expect(count).toBe(300);
  });

  it('never makes a contact active again', async () => {
    await upload([{ email: 'ada@example.com', status: 'unsubscribed' }, { email: 'bob@example.com' }]).expect(200);
    const suppress = (email: string) => account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
    await suppress('bob@example.com');
    await suppress('eve@example.com');
    const rows = ['ada', 'bob', 'eve'].map((name) => ({ email: `${name}@example.com`, status: 'active' }));
    const errors = rows.map(({ email }, index) => ({
      ...{ index: index + 1, email },
      message: `status cannot be set to active: ${email} is suppressed`,
    }));
    const before = await list();
    const dan = { email: 'dan@example.com', status: 'active' };
    await upload([dan, ...rows]).expect(200, { created: 1, updated: 0, skipped: 0, errors });
    await upload([dan, ...rows.map((row) => ({ ...row, status: null, firstName: 'New' }))]).expect(200, {
      ...{ created: 0, updated: 0, skipped: 1, errors },
    });
    expect((await list()).filter(({ email }) => email !== 'dan@example.com')).toEqual(before);
  });

  it('writes another row of an address whose row with status active is refused', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.com' }).expect(201);
    const { body } = await upload([
      { email: 'ada@example.com', firstName: 'Ada' },
      { email: 'ada@example.com', status: 'active' },
    ]).expect(200);
    expect(body).toMatchObject({ created: 1, updated: 0, skipped: 0, errors: [{ index: 1 }] });
    expect(await list()).toMatchObject([{ status: 'unsubscribed', firstName: 'Ada' }]);
  });

  it('accepts 5,000 contacts and no more', async () => {
    const most = people(5_000);
    await upload(most).expect(200, { created: 5_000, updated: 0, skipped: 0, errors: [] });
    await upload([...most, { email: 'one@example.com' }]).expect(
      413,
      errorBody(413, 'contacts must contain no more than 5000 elements'),
    );
  });

  it('reports unknown lists, however many there are', async () => {
    const listIds = (i: number) => Array.from({ length: 70 }, (_, k) => `list${i}-${k}`);
    const rows = people(1_000).map((person, i) => ({ ...person, listIds: listIds(i) }));
    const { body } = await upload(rows).expect(200);
    expect(body).toMatchObject({ created: 0, errors: { length: 1_000 } });
    expect(body.errors[999]).toMatchObject({ index: 999, message: 'listIds: there is no list list999-0' });
  });

  it('leaves the connections to others, however many accounts import at a time', async () => {
    await account.verifySender('shop@example.com');
    const { secret } = await account.createKey();
    const accounts = await Promise.all(Array.from({ length: 9 }, () => service.createAccount()));
    const inFlight = async () =>
      Number(/_in_flight\{state="open"\} (\d+)/.exec((await service.request('get', '/metrics')).text)![1]);
    const { imports } = await service.hold(async () => {
      await service.query('LOCK TABLE contacts IN SHARE MODE');
      const imports = Promise.all(
        accounts
          .flatMap((of) => [of, of, of])
          .map((of) => of.asAdmin('post', '/api/contacts/import').send({ contacts: people(10) })),
      );
      await waitFor('the imports to be in flight', async () => (await inFlight()) >= 27);
      await sendEmail(service, secret, { text: 'Hello' });
      return { imports };
    });
    expect((await imports).map(({ status }) => status)).toEqual(Array(27).fill(200));
  });

  it('does not wait for accounts whose contacts are locked', async () => {
    const [first, second] = await Promise.all([service.createAccount(), service.createAccount()]);
    const ofBoth = (path: string, body: object) =>
      [first, second].flatMap((of) =>
        [1, 2, 3].map(() =>
          of
            .asAdmin('post', path)
            .send(body)
            .then(({ status }) => status),
        ),
      );
    const atLock = async () => {
      const { rows } = await service.database.pool.query<{ n: number }>(
        "SELECT count(*)::integer AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return rows[0]!.n;
    };
    const { writes, imports } = await service.hold(async () => {
      const locks = service.app.get(ContactLocks, { strict: false });
      for (const { id } of [first, second]) await locks.lockLists(id);
      const writes = ofBoth('/api/contacts', { email: 'ada@example.com' });
      await waitFor('the writes to wait', async () => (await atLock()) === writes.length);
      const imports = ofBoth('/api/contacts/import', { contacts: people(10) });
      await waitFor('the imports to wait', async () => (await atLock()) === writes.length + 3);
      await upload(people(10)).expect(200, { created: 10, updated: 0, skipped: 0, errors: [] });
      return { writes, imports };
    });
    for (const status of await Promise.all(writes)) expect([200, 201]).toContain(status);
    expect(await Promise.all(imports)).toEqual(Array(6).fill(200));
  });

  it('writes contacts of several megabytes in one transaction', async () => {
    const tags = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(50)}`);
    const large = (change: object = {}) => people(1_000, { tags, ...change });
    await upload(large()).expect(200, { created: 1_000, updated: 0, skipped: 0, errors: [] });
    await upload(large()).expect(200, { created: 0, updated: 0, skipped: 1_000, errors: [] });
    await upload(large({ company: 'Engines' })).expect(200, { created: 0, updated: 1_000, skipped: 0, errors: [] });
    const [one] = await list('&search=engines');
    expect(one).toMatchObject({ company: 'Engines', tags: tags.toSorted() });
  });

  it('accepts 10 MB and no more', async () => {
    const body = `{"contacts":[{"email":"ada@example.com"}]${' '.repeat(5 * 1_048_576)}}`;
    const send = (text: string) =>
      account.asAdmin('post', '/api/contacts/import').set('Content-Type', 'application/json').send(text);
    await send(body).expect(200);
    await send(body + ' '.repeat(6 * 1_048_576)).expect(413, errorBody(413, 'The body is larger than 10 MB'));
  });

  it.each([
    [{}, 'contacts must be an array'],
    [{ contacts: {} }, 'contacts must be an array'],
    [{ contacts: [], listId: 'nolist' }, 'listId: there is no list nolist'],
    [{ contacts: [], listId: null }, 'listId must be a string'],
    [{ contacts: [], dry: true }, 'dry is not a known field'],
    [{ contacts: [], dryRun: 'yes' }, 'dryRun must be a boolean value'],
  ])('refuses %.70j', async (body, message) => {
    await account.asAdmin('post', '/api/contacts/import').send(body).expect(400, badRequest(message));
  });

  it('refuses a list of another account, and accepts an empty batch', async () => {
    const theirs = await createList(await service.createAccount());
    await upload([{ email: 'ada@example.com' }], theirs).expect(400, badRequest(`listId: there is no list ${theirs}`));
    expect(await list()).toEqual([]);
    await upload([]).expect(200, { created: 0, updated: 0, skipped: 0, errors: [] });
  });
});
