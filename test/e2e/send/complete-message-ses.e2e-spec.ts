import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';

import type { TestAccount, TestKey } from '../../support/account.js';
import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const SES = { region: 'eu-west-1', accessKeyId: 'AKIASHOP', secretAccessKey: 'a secret of SES' };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('A complete message through SES', () => {
  let aws: FakeAws;
  let relay: SmtpSink;
  let service: TestService;

  beforeAll(async () => {
    aws = await FakeAws.start();
    relay = await SmtpSink.start();
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await aws.stop();
    await relay.stop();
  });
  beforeEach(() => {
    aws.reset();
    relay.reset();
  });

  async function openAccount(settings?: object): Promise<{ account: TestAccount; key: TestKey }> {
    const account = await service.createAccount();
    if (settings) await account.asAdmin('patch', '/api/settings').send(settings).expect(200);
    await account.verifySender(SENDER);
    return { account, key: await account.createKey() };
  }
  const throughSes = () => openAccount({ emailProvider: 'ses', ses: SES });

  it('has the same MIME as over SMTP, for each recipient', async () => {
    const mail = {
      html: '<p>Grüße <img src="cid:logo"> <a href="{{unsubscribeUrl}}">Stop</a></p>',
      cc: ['books@example.org'],
      bcc: ['boss@example.org'],
      headers: { 'X-Order': '4711', 'X-Note': 'Grüße' },
      tags: ['invoice'],
      metadata: { order: '4711' },
      attachments: [
        { filename: 'Rechnung für März.pdf', content: Buffer.alloc(70_000, 7).toString('base64') },
        { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
        { filename: 'empty.txt', content: '' },
      ],
    };
    const raws: Record<string, string>[] = [];
    for (const { key } of [await throughSes(), await openAccount()]) {
      aws.reset();
      relay.reset();
      const { body } = await postEmail(service, key.secret, mail).expect(201);
      const arrived = await waitFor('three mails', () => {
        const sent = aws.sent().map(({ to, raw }) => [to[0], raw] as const);
        const received = relay.received().map(({ envelope, raw }) => [envelope.to[0], raw] as const);
        const all = [...sent, ...received];
        return all.length === 3 && all;
      });
      const ids = [body.messageLogId, ...body.copies.map(({ messageLogId }: { messageLogId: string }) => messageLogId)];
      raws.push(Object.fromEntries(arrived.map(([to, raw]) => [to, neutral(raw, ids)])));
    }
    const [ses, smtp] = raws;
    expect(Object.keys(ses!).sort()).toEqual(['ada@example.org', 'books@example.org', 'boss@example.org']);
    expect(ses).toEqual(smtp);
  });

  /** Without what differs between any two messages. */
  const neutral = (raw: string, ids: string[]) =>
    ids
      .reduce((text, id) => text.replaceAll(id, 'ID'), raw)
      .replace(/^Date: .*$/m, 'Date')
      .replace(/(=\r\n)/g, '')
      .replace(/\/u\/[\w-]+/g, '/u/TOKEN');

  it('is streamed and signed if it is large', async () => {
    const bytes = Buffer.alloc(3_000_001, 'A part of the file. ');
    const { account, key } = await throughSes();
    const attachments = [{ filename: 'a.bin', content: bytes.toString('base64') }];
    const { body } = await postEmail(service, key.secret, { text: 'Hello', attachments }).expect(201);
    await waitFor('sent', async () => {
      const message = (await account.asMember('get', `/api/messages/${body.messageLogId}`).expect(200)).body;
      if (message.error !== null) throw new Error(message.error);
      return message.status === 'sent';
    });
    const [sent] = aws.sent();
    expect(sent?.tags).toMatchObject({ message_id: body.messageLogId });
    const parsed = await simpleParser(sent!.raw);
    expect(sha256(parsed.attachments[0]!.content)).toBe(sha256(bytes));
  });
});
