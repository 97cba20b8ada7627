import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/suppressions/import', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const upload = (csv: string | Buffer, type = 'text/csv') =>
    account.asAdmin('post', '/api/suppressions/import').set('Content-Type', type).send(csv);
  const entries = () =>
    service.query<{ channel: string; address: string; reason: string; source: string; note: string | null }>(
      'SELECT channel, address, reason, source, note FROM suppressions WHERE account_id = $1 ORDER BY address',
      [account.id],
    );
  const addresses = async () => (await entries()).map(({ address }) => address);

  it('writes the valid rows and reports what is wrong with the others', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'old@example.com' }).expect(201);
    const csv = [
      '\ufeffemail,reason,note',
      'Ada@Example.com,bounced,"Mailbox, full"',
      'ada@EXAMPLE.com,complained,again',
      'OLD@example.com',
      'nobody,manual',
      '(415) 555-0100,sms_opt_out,STOP',
      'bob@example.com,spite',
    ].join('\r\n');
    await upload(csv, 'text/csv; charset=UTF-8').expect(200, {
      added: 2,
      stood: 2,
      failed: 2,
      errors: [
        {
          line: 5,
          address: 'nobody',
          message: 'address must be an email address or a phone number in E.164 format or of 10 digits (US)',
        },
        {
          line: 7,
          address: 'bob@example.com',
          message: 'reason must be one of unsubscribed, bounced, complained, manual, sms_opt_out',
        },
      ],
    });
    expect(await entries()).toEqual([
      { channel: 'sms', address: '+14155550100', reason: 'sms_opt_out', source: 'import', note: 'STOP' },
      { channel: 'email', address: 'ada@example.com', reason: 'bounced', source: 'import', note: 'Mailbox, full' },
      { channel: 'email', address: 'old@example.com', reason: 'manual', source: 'dashboard', note: null },
    ]);
  });

  it('can be repeated', async () => {
    const csv = 'ada@example.com\nbob@example.com';
    await upload(csv).expect(200, { added: 2, stood: 0, failed: 0, errors: [] });
    await upload(csv).expect(200, { added: 0, stood: 2, failed: 0, errors: [] });
  });

  it('accepts many rows, reports the first 100 errors and counts the rest', async () => {
    const good = Array.from({ length: 4_321 }, (_, i) => `user${i}@example.com`);
    const bad = Array.from({ length: 150 }, (_, i) => `bad ${i}`);
    const { body } = await upload([...bad, ...good, ...good].join('\n')).expect(200);
    expect(body).toMatchObject({ added: 4_321, stood: 4_321, failed: 150 });
    expect(body.errors).toHaveLength(100);
    expect(body.errors[99]).toMatchObject({ line: 100, address: 'bad 99' });
    expect(await addresses()).toHaveLength(4_321);
  });

  it('adds each address once in concurrent imports, whatever the order of their rows', async () => {
    const all = Array.from({ length: 3_000 }, (_, i) => `user${i}@example.com`);
    const answers = await Promise.all([
      upload(all.join('\n')),
      upload(all.toReversed().join('\n')),
      upload(all.map((address) => address.toUpperCase()).join('\n')),
      ...all.slice(0, 20).map((email) => account.asAdmin('post', '/api/suppressions').send({ email })),
    ]);
    const imports = answers.slice(0, 3).map(({ body }) => body as { added: number; stood: number });
    const byHand = answers.slice(3).filter(({ status }) => status === 201).length;
    expect(imports.reduce((sum, { added }) => sum + added, byHand)).toBe(3_000);
    expect(imports.map(({ added, stood }) => added + stood)).toEqual([3_000, 3_000, 3_000]);
    expect(await addresses()).toHaveLength(3_000);
  });

  const wrongType = 'The body must be sent with Content-Type: text/csv, in UTF-8 and not compressed';
  it.each([
    ['JSON', 'application/json', '{"csv":"ada@example.com"}'],
    ['plain text', 'text/plain', 'ada@example.com'],
    ['another charset', 'text/csv; charset=iso-8859-1', 'ada@example.com'],
  ])('refuses %s', async (_, type, body) => {
    await upload(body, type).expect(400, badRequest(wrongType));
    expect(await addresses()).toEqual([]);
  });

  it('refuses a request without a body', async () => {
    await account.asAdmin('post', '/api/suppressions/import').expect(400, badRequest(wrongType));
  });

  it('refuses a compressed body', async () => {
    await upload(gzipSync('ada@example.com')).set('Content-Encoding', 'gzip').expect(400, badRequest(wrongType));
  });

  it('refuses text that is not UTF-8, wherever the fault is', async () => {
    const fault = badRequest('The body is not valid UTF-8');
    await upload(Buffer.from('ada@example.com\nbj\xf6rn@example.com\n', 'latin1')).expect(400, fault);
    await upload(Buffer.from('ada@example.com\n\xc3', 'latin1')).expect(400, fault);
  });

  it('names the line at which a CSV is not valid', async () => {
    const { body } = await upload('email,note\nada@example.com,"open\n').expect(400);
    expect(body).toEqual(
      badRequest('The CSV cannot be read: Quote Not Closed: the parsing is finished with an opening quote at line 2'),
    );
    await upload('email,phone\nada@example.com,').expect(
      400,
      badRequest('The header names more than one of address, email, phone'),
    );
  });

  const tooLarge = errorBody(413, 'The body is larger than 10 MB');

  it('refuses more than 10 MB before it reads any', async () => {
    await upload(Buffer.alloc(10 * 1024 * 1024 + 1, 'x')).expect(413, tooLarge);
  });

  it('refuses more than 10 MB without a Content-Length', async () => {
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const upload = httpRequest(`${service.url}/api/suppressions/import`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${account.adminToken}` },
      });
      upload.on('error', reject);
      upload.on('response', (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode!, body });
        }, reject);
      });
      for (let mb = 0; mb < 11; mb++) upload.write(Buffer.alloc(1024 * 1024, 'x'.repeat(1_023) + '\n'));
      upload.end();
    });
    expect({ ...answer, body: JSON.parse(answer.body) }).toEqual({ status: 413, body: tooLarge });
  });

  it('keeps running when a client disconnects halfway', async () => {
    const gone = httpRequest(`${service.url}/api/suppressions/import`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', 'Content-Length': 1_000, Authorization: `Bearer ${account.adminToken}` },
    });
    gone.on('error', () => undefined);
    await new Promise((written) => gone.write('ada@example.com\n', written));
    gone.destroy();
    await upload('bob@example.com').expect(200, { added: 1, stood: 0, failed: 0, errors: [] });
  });
});
