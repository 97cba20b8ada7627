import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';

import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';
const BYTES = Buffer.alloc(600_000, 'The invoice. ');

describe('GET /api/messages/:id/attachments/:number', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', CONTENT_RETENTION_DAYS: '30' });
    account = await service.createAccount();
    await account.verifySender(SENDER);
    ({ secret } = await account.createKey());
  });
  afterAll(() => service.stop());

  const attachments = [
    { filename: 'Rechnung "für" März.html', content: BYTES.toString('base64') },
    { filename: 'empty.txt', content: '' },
  ];
  async function sent(mail: object = {}) {
    const { body } = await postEmail(service, secret, { text: 'Hello', attachments, ...mail }).expect(201);
    return body as { messageLogId: string; copies?: { messageLogId: string }[] };
  }
  const download = (id: string, number: number | string = 1, of = account) =>
    of.asMember('get', `/api/messages/${id}/attachments/${number}`);
  const storedParts = async () => (await service.query('SELECT FROM message_attachments')).length;
  async function erase(email: string): Promise<void> {
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
  }

  it('downloads the bytes, and tells browsers not to show them', async () => {
    const { messageLogId } = await sent();
    const { headers, body } = await download(messageLogId).buffer(true).parse(binary).expect(200);
    expect(BYTES.equals(body as Buffer)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(BYTES.length),
      'content-disposition':
        'attachment; filename="Rechnung _f_r_ M_rz.html"; filename*=UTF-8\'\'Rechnung%20%22f%C3%BCr%22%20M%C3%A4rz.html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
    });
    const empty = await download(messageLogId, 2).buffer(true).parse(binary).expect(200);
    expect(empty.body).toHaveLength(0);
  });

  it('downloads them from each copy, and stores them once', async () => {
    const before = await storedParts();
    const { copies = [] } = await sent({ cc: ['books@example.org'], bcc: ['boss@example.org'] });
    expect(await storedParts()).toBe(before + 4);
    for (const { messageLogId } of copies) {
      const { body } = await download(messageLogId).buffer(true).parse(binary).expect(200);
      expect(BYTES.equals(body as Buffer)).toBe(true);
    }
  });

  it('is for users of the account only', async () => {
    const { messageLogId } = await sent();
    await service.request('get', `/api/messages/${messageLogId}/attachments/1`).set('X-API-Key', secret).expect(401);
    const other = await service.createAccount();
    await download(messageLogId, 1, other).expect(404, errorBody(404, 'Message not found'));
    for (const number of [0, 3, 'x', '1e0', '%31'.repeat(30)])
      await download(messageLogId, number).expect(404, errorBody(404, 'Attachment not found'));
  });

  it('lists and downloads no file that another account has stored under the same id', async () => {
    const { messageLogId } = await sent();
    const other = await service.createAccount();
    await service.query(
      `INSERT INTO message_attachments (group_id, number, part, account_id, filename, content_type, content_id, size, bytes)
       VALUES ($1, 3, 0, $2, 'theirs.txt', 'text/plain', NULL, 1, 'x')`,
      [messageLogId, other.id],
    );
    const { body } = await account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
    expect((body.attachments as { number: number }[]).map(({ number }) => number)).toEqual([1, 2]);
    await download(messageLogId, 3).expect(404, errorBody(404, 'Attachment not found'));
  });

  it('is gone, with the bytes, when all recipients of the group were erased', async () => {
    const before = await storedParts();
    const { messageLogId, copies = [] } = await sent({
      to: 'erased@example.org',
      cc: ['kept@example.org'],
      metadata: { name: 'Ada' },
    });
    await erase('erased@example.org');
    const { body } = await account.asMember('get', `/api/messages/${messageLogId}`).expect(200);
    expect(body).toMatchObject({ to: 'erased', metadata: {}, status: 'suppressed', attachments: [] });
    await download(messageLogId).expect(404);
    await download(copies[0]!.messageLogId).expect(200);
    await erase('kept@example.org');
    await download(copies[0]!.messageLogId).expect(404);
    expect(await storedParts()).toBe(before);
  });

  it('is gone when all recipients are erased at the same time', async () => {
    const before = await storedParts();
    for (let group = 0; group < 5; group++) {
      const [to, cc] = [`to-${group}@example.org`, `cc-${group}@example.org`];
      await sent({ to, cc: [cc] });
      await Promise.all([erase(to), erase(cc)]);
    }
    expect(await storedParts()).toBe(before);
  });

  it('is gone, with the bytes, when its content was purged', async () => {
    const { messageLogId } = await sent();
    await service.query('DELETE FROM pending_deliveries');
    service.clock.advance({ days: 31 });
    await service.app.get(RetainMessages, { strict: false }).purgeExpired();
    expect(await storedParts()).toBe(0);
    const { body } = await service.request('get', `/api/messages/${messageLogId}`).set('X-API-Key', secret).expect(200);
    expect(body.attachments).toEqual([]);
  });
});

/** A response as a Buffer. */
function binary(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    done(null, Buffer.concat(chunks));
  });
}
