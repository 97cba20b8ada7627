import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { simpleParser } from 'mailparser';

import type { OutgoingAttachment, OutgoingMessage } from '../application/ports/message-provider.js';
import { encodedLength, encodeLines } from '../../../mail/writing/base64-lines.js';
import { composeMail } from '../../../mail/writing/compose-mail.js';
import { signMail, unsignedHeader } from '../../../mail/writing/sign-mail.js';

const PART = 57 * 4_600;
const MESSAGE = {
  id: 'c0123456789abcdefghijklmn',
  recipient: 'ada@example.org',
  sender: 'orders@shop.example.com',
  senderName: null,
  replyTo: null,
  subject: 'Your order',
  html: '<p>Thank you</p>',
  text: 'Thank you',
  unsubscribeUrl: null,
  acceptedAt: new Date('2026-11-22T00:00:00Z'),
} as OutgoingMessage;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

function attachment(filename: string, bytes: Buffer, changes: Partial<OutgoingAttachment> = {}): OutgoingAttachment {
  const count = Math.max(1, Math.ceil(bytes.length / PART));
  const encoded = Array.from({ length: count }, (_, i) => encodeLines(bytes.subarray(i * PART, (i + 1) * PART)));
  return { filename, contentType: 'application/octet-stream', contentId: null, encoded, ...changes };
}

async function mailOf(changes: Partial<OutgoingMessage>): Promise<Buffer> {
  const { raw, rest = [] } = composeMail({ ...MESSAGE, ...changes });
  return Buffer.concat([raw, ...rest]);
}

const shown = (email: string) => ({ email, name: '' });

describe('A mail with attachments', () => {
  it.each([0, 1, 56, 57, 58, 114, PART, PART + 1, 3 * PART])('has a file of %i bytes as it was', async (length) => {
    const bytes = randomBytes(length);
    const mail = await mailOf({ attachments: [attachment('a.bin', bytes), attachment('b.txt', Buffer.from('b'))] });
    const { attachments, text, html } = await simpleParser(mail);
    expect(attachments.map(({ content }) => content)).toEqual([bytes, Buffer.from('b')]);
    expect([text, html]).toEqual(['Thank you', '<p>Thank you</p>']);
    for (const line of mail.toString().split('\r\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(attachment('a.bin', bytes).encoded.reduce((sum, part) => sum + part.length, 0)).toBe(encodedLength(length));
  });

  it('is the same for every attempt, and has no line end but CRLF', async () => {
    const changes = { attachments: [attachment('ä.bin', randomBytes(1_000))], headers: { 'X-Order': '1' } };
    const mail = await mailOf(changes);
    expect(mail.equals(await mailOf(changes))).toBe(true);
    expect(mail.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('shows the recipients of the group, also those of other copies, and nobody who was erased', async () => {
    const cc = Array.from({ length: 20 }, (_, i) => `recipient-number-${i}@example.org`);
    const parsed = await simpleParser(
      await mailOf({ visible: { to: [shown('grace@example.org')], cc: cc.map(shown) } }),
    );
    expect(parsed.to).toMatchObject({ text: 'grace@example.org' });
    expect(parsed.cc).toMatchObject({ value: cc.map((address) => ({ address, name: '' })) });
    expect((await mailOf({ visible: { to: [], cc: cc.map(shown) } })).toString()).toMatch(
      /^To: undisclosed-recipients:;\r$/m,
    );
  });

  it('has a signature that covers all parts', async () => {
    const attachments = [attachment('a.bin', randomBytes(2 * PART)), attachment('empty', Buffer.alloc(0))];
    const { raw, rest = [] } = composeMail({ ...MESSAGE, attachments });
    const key = { domainName: 'shop.example.com', selector: 's1', privateKey };
    const mail = Buffer.concat([await signMail(raw, unsignedHeader(raw, key, rest), key), ...rest]);
    const verdictOn = async (bytes: Buffer) => {
      const { results } = await dkimVerify(bytes, { resolver: () => Promise.resolve([[RECORD]]) });
      return results[0]?.status.result;
    };
    expect(await verdictOn(mail)).toBe('pass');
    mail[mail.length - 300]! ^= 1;
    expect(await verdictOn(mail)).toBe('neutral');
  });
});
