import { request } from 'node:http';
import type { Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { importCsv, MAPPING, upload } from '../../support/csv-imports.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const HEADER = 'email,first,tags,status\n';

describe('POST /api/contacts/import/csv', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const run = (file: string | Buffer, fields: Parameters<typeof upload>[2] = { mapping: MAPPING }) =>
    importCsv(service, account, file, fields);
  const list = async (query = '') =>
    (await account.asMember('get', `/api/contacts?limit=100${query}`).expect(200)).body.items as {
      email: string;
      firstName: string | null;
      tags: string[];
      status: string;
    }[];
  const kept = () =>
    service.query(
      'SELECT i.id FROM contact_import_chunks c JOIN contact_imports i ON i.id = c.import_id WHERE i.account_id = $1',
      [account.id],
    );
  const people = (count: number) =>
    Array.from({ length: count }, (_, i) => `person${i}@example.com,First ${i},crm;batch ${i % 3},\n`).join('');

  it('imports a file, and changes nothing the second time', async () => {
    const listId = (await account.asAdmin('post', '/api/lists').send({ name: 'News' }).expect(201)).body.id as string;
    const { body: queued } = await upload(account, HEADER + people(2_500), { mapping: MAPPING, listId }).expect(202);
    expect(queued).toMatchObject({ state: 'queued', dryRun: false, total: null, processed: 0, finishedAt: null });
    const counts = { total: 2_500, processed: 2_500, failed: 0, errors: [], error: null, state: 'done' };
    const first = await run(HEADER, { mapping: MAPPING });
    expect(first).toMatchObject({ total: 0, state: 'done' });
    const { body } = await account.asMember('get', `/api/imports/${queued.id}`).expect(200);
    expect(body).toMatchObject({ ...counts, created: 2_500, updated: 0, skipped: 0, finishedAt: expect.any(String) });
    const [person] = await list(`&search=person7@&listId=${listId}`);
    expect(person).toMatchObject({ firstName: 'First 7', tags: ['batch 1', 'crm'], status: 'active' });
    expect(await run(HEADER + people(2_500))).toMatchObject({ ...counts, created: 0, updated: 0, skipped: 2_500 });
    expect(await run(HEADER + 'PERSON7@example.com,Seventh,,\n')).toMatchObject({
      created: 0,
      updated: 1,
      processed: 1,
    });
    expect((await list('&search=person7@'))[0]).toMatchObject({ firstName: 'Seventh', tags: ['batch 1', 'crm'] });
    expect(await kept()).toEqual([]);
  });

  it('reports the line of each invalid row and writes the others', async () => {
    const { errors, ...report } = await run(
      `${HEADER}ada@example.com,Ada,,\n\n"nobody","two\nlines",,\nbob@example.com,${'x'.repeat(300)},,bounced\n` +
        `eve@example.com,Eve\ncarol@example.com,"nu\0ll",,\n,Nameless,,\nada@example.com,Lady Ada,,\n`,
    );
    expect(report).toMatchObject({
      state: 'done',
      total: 7,
      processed: 7,
      created: 1,
      updated: 0,
      skipped: 1,
      failed: 5,
    });
    expect(errors).toEqual([
      {
        line: 5,
        email: 'nobody',
        message: 'email must be an email address; firstName must not hold line breaks or control characters',
      },
      {
        line: 6,
        email: 'bob@example.com',
        message: 'firstName must be shorter than or equal to 200 characters; status must be active or unsubscribed',
      },
      { line: 7, email: 'eve@example.com', message: 'has 2 cells, the header 4' },
      {
        line: 8,
        email: 'carol@example.com',
        message: 'firstName must not hold line breaks or control characters',
      },
      { line: 9, email: null, message: 'email must be an email address' },
    ]);
    expect(await list()).toMatchObject([{ email: 'ada@example.com', firstName: 'Lady Ada' }]);
  });

  it('keeps the first 100 errors and counts all; a cell of a megabyte is an error', async () => {
    const bad = Array.from({ length: 2_100 }, (_, i) => `nobody ${i},,,\n`).join('');
    const report = await run(`${HEADER}ada@example.com,${'x'.repeat(1_048_576)},,\n${bad}`);
    expect(report).toMatchObject({ processed: 2_101, failed: 2_101, created: 0 });
    expect(report.errors).toHaveLength(100);
    expect((report.errors as { line: number }[])[99]).toMatchObject({ line: 101, email: 'nobody 98' });
  });

  it('accepts at most 1,000 columns', async () => {
    const wide = 'email' + ',x'.repeat(1_000);
    const message = 'The file has more than 1000 columns: line 1';
    await upload(account, `${wide}\n`).expect(400, badRequest(message));
    const report = await run(`${HEADER}ada@example.com,,,\nbob@example.com${',x'.repeat(1_000)}\n`);
    expect(report).toMatchObject({ state: 'failed', error: 'The file has more than 1000 columns: line 3', created: 0 });
  });

  it('writes nothing in a dry run and reports what would be written', async () => {
    await run(`${HEADER}ada@example.com,Ada,,\nbob@example.com,Bob,,\n`);
    const file = `${HEADER}ada@example.com,Ada,,\nbob@example.com,Robert,,\n${people(1_500)}person3@example.com,Again,,\nno,,,\n`;
    const before = await service.query('SELECT * FROM contacts ORDER BY id');
    const report = await run(file, { mapping: MAPPING, dryRun: 'true' });
    expect(report).toMatchObject({
      dryRun: true,
      state: 'done',
      total: 1_504,
      created: 1_500,
      updated: 1,
      skipped: 2,
      failed: 1,
    });
    expect(await service.query('SELECT * FROM contacts ORDER BY id')).toEqual(before);
  });

  it('makes no contact active again, and suppresses contacts with status unsubscribed', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.com' }).expect(201);
    const rows = `${HEADER}ada@example.com,,,active\nbob@example.com,,,Unsubscribed\n`;
    const message = 'status cannot be set to active: ada@example.com is suppressed';
    const report = { created: 1, failed: 1, errors: [{ line: 2, email: 'ada@example.com', message }] };
    expect(await run(rows, { mapping: MAPPING, dryRun: 'true' })).toMatchObject(report);
    expect(await run(rows)).toMatchObject(report);
    expect((await list()).map(({ email, status }) => `${email} ${status}`)).toEqual(['bob@example.com unsubscribed']);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(body.items).toMatchObject([
      { address: 'bob@example.com', source: 'import' },
      { address: 'ada@example.com' },
    ]);
  });

  it('reads files of spreadsheets: a BOM, semicolons, carriage returns, apostrophes before formulas', async () => {
    const file =
      '\uFEFFE-Mail;Name;"Tags, all"\r\nada@example.com;"O\'Hara; Ada";\'=crm\r\nbob@example.com;\'-Bob;\r\n';
    const mapping = { email: 'E-Mail', lastName: 'Name', tags: 'Tags, all' };
    expect(await run(file, { mapping })).toMatchObject({ created: 2, failed: 0 });
    expect(await list('&search=ada')).toMatchObject([{ lastName: "O'Hara; Ada", tags: ['=crm'] }]);
    expect(await list('&search=bob')).toMatchObject([{ lastName: '-Bob' }]);
  });

  it.each([
    [
      'quotes never closed',
      `${HEADER}ada@example.com,Ada,,\nbob@example.com,"Bob,,\n`,
      /^The file cannot be read as CSV: Quote Not Closed.* line 3/,
    ],
    [
      'a row of megabytes',
      `${HEADER}ada@example.com,Ada,,\nbob@example.com,${'x'.repeat(2_100_000)},,\n`,
      /^The file cannot be read as CSV: Max Record Size/,
    ],
  ])('imports no row of a file with %s', async (_, file, error) => {
    const report = await run(file);
    expect(report).toMatchObject({ state: 'failed', processed: 0, error: expect.stringMatching(error) });
    expect(await list()).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  const latin1 = Buffer.from(`${HEADER}ada@example.com,Ada,,\nbob@example.com,J\u00f6rg,,\n`, 'latin1');
  it.each([
    ['Latin-1', latin1, 'The file is not in UTF-8: line 3 cannot be read. Save it as CSV UTF-8'],
    [
      'UTF-16',
      Buffer.from(`\uFEFF${HEADER}`, 'utf16le'),
      'The file is in UTF-16: line 1 cannot be read. Save it as CSV UTF-8',
    ],
    [
      'UTF-16 without a BOM',
      Buffer.from(HEADER, 'utf16le'),
      'The header of the file holds null bytes: the file must be in UTF-8',
    ],
    [
      'half a character at its end',
      Buffer.from(`${HEADER}ada@example.com,\u20ac`).subarray(0, -1),
      'The file is not in UTF-8: line 2 cannot be read. Save it as CSV UTF-8',
    ],
    [
      'no CSV, which shows early',
      `${HEADER}ada@example.com,Ada,,\n"bob"x@example.com,,,\n`,
      'The file cannot be read as CSV: Invalid Closing Quote: got "x" at line 3 instead of delimiter, record delimiter, trimable character (if activated) or comment',
    ],
    ['nothing in it', '', 'The file is empty'],
    ['empty lines only', '\n\n\n', 'The file is empty'],
  ])('refuses a file in %s', async (_, file, message) => {
    await upload(account, file, { mapping: MAPPING }).expect(400, badRequest(message));
    expect(await kept()).toEqual([]);
    expect(await service.query('SELECT id FROM contact_imports WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('refuses a mapping that does not match the header', async () => {
    const refuse = (file: string, mapping: object | string, message: string) =>
      upload(account, file, { mapping }).expect(400, badRequest(message));
    await refuse(HEADER, 'x', 'mapping must be a JSON object such as {"email":"E-mail"}');
    await refuse(HEADER, '[]', 'mapping must be a JSON object such as {"email":"E-mail"}');
    await refuse(HEADER, {}, 'mapping.email must be the name of a column');
    await refuse(HEADER, { email: 5 }, 'mapping.email must be the name of a column');
    await refuse(
      HEADER,
      { email: 'email', phone: 'x' },
      'mapping.phone is not one of email, firstName, lastName, company, tags, status, consentAt, ' +
        'consentWording, consentIp, consentEvidence, attributes.<key>',
    );
    await refuse(
      HEADER,
      { email: 'E-mail' },
      'mapping.email: the file has no column E-mail; its header is email, first, tags, status',
    );
    await refuse(
      'ada@example.com,Ada\n',
      MAPPING,
      'mapping.email: the file has no column email; its header is ada@example.com, Ada',
    );
    await refuse('email,tags,email\n', { email: 'email' }, 'mapping.email: the file has several columns email');
    expect(await run('email,x,x\nada@example.com,1,2\n', {})).toMatchObject({ created: 1 });
  });

  it('refuses a body that is not a form, or has other fields', async () => {
    const post = () => account.asAdmin('post', '/api/contacts/import/csv');
    const other = await service.createAccount();
    const { body: theirs } = await other.asAdmin('post', '/api/lists').send({ name: 'Theirs' }).expect(201);
    await post()
      .send({ mapping: MAPPING })
      .expect(
        400,
        badRequest('The body must be sent with Content-Type: multipart/form-data, in UTF-8 and not compressed'),
      );
    await post().field('mapping', '{"email":"email"}').expect(400, badRequest('file is missing'));
    await post()
      .attach('csv', Buffer.from(HEADER), 'x.csv')
      .expect(400, badRequest('csv is not a field that takes a file: call it file'));
    await upload(account, HEADER, { dryRun: 'yes' }).expect(400, badRequest('dryRun must be true or false'));
    await upload(account, HEADER, { consent: 'x' } as object).expect(
      400,
      badRequest('consent is not one of file, mapping, dryRun, listId'),
    );
    for (const listId of [theirs.id as string, newId(new Date()), 'none'])
      await upload(account, HEADER, { listId }).expect(400, badRequest(`listId: there is no list ${listId}`));
    await post()
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .send('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n')
      .expect(400, badRequest('The form cannot be read: Unexpected end of form'));
    expect(await kept()).toEqual([]);
  });

  it('keeps nothing of a client that leaves before its form is read', async () => {
    const connected = new Promise<Socket>((resolve) => service.app.getHttpServer().once('connection', resolve));
    const headers = {
      authorization: `Bearer ${account.adminToken}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 1_000,
    };
    const waits = async () => {
      const { rows } = await service.database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    await service.hold(async () => {
      await service.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [account.id]);
      const leaving = request(`${service.url}/api/contacts/import/csv`, { method: 'POST', headers, agent: false });
      leaving.on('error', () => undefined);
      leaving.write('--x\r\n');
      await waitFor('the upload to begin', waits);
      leaving.destroy();
      const socket = await connected;
      await waitFor('the client to leave', () => socket.destroyed);
    });
    const opened = () => service.query('SELECT 1 FROM contact_imports WHERE account_id = $1', [account.id]);
    await waitFor('the upload to end', async () => !(await waits()) && (await opened()).length === 0);
  });

  it('allows five unfinished imports per account, even if more start at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => upload(account, HEADER).then(({ status }) => status)),
    );
    expect(answers.sort()).toEqual([202, 202, 202, 202, 202, 409, 409, 409]);
    const message = '5 imports are not finished yet: wait for one of them';
    await upload(account, HEADER).expect(409, errorBody(409, message));
    await upload(await service.createAccount(), HEADER).expect(202);
  });
});
