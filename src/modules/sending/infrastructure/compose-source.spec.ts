import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import type { MailContent } from '../application/ports/message-provider.js';
import { wholeLines } from '../../../mail/writing/whole-lines.js';
import { composeMail } from '../../../mail/writing/compose-mail.js';
import { signMail, unsignedHeader } from '../../../mail/writing/sign-mail.js';

const SOURCE = 'Subject: Hi\r\nContent-Type: application/pkcs7-mime\r\n\r\nMIIB\r\n  x \r\n';
const message = (source: readonly Buffer[], more: Partial<MailContent> = {}) =>
  ({
    ...{ id: 'cmessage', accountId: 'c1', channel: 'email', recipient: 'ada@example.org', sender: 'shop@example.com' },
    ...{ normalisedRecipient: 'ada@example.org', senderName: 'Shöp', replyTo: null, subject: 'Hi', campaignId: null },
    ...{ html: null, text: '', unsubscribeUrl: null, groupId: null, source, ...more },
    ...{ createdAt: new Date(0), acceptedAt: new Date('2026-06-01T10:00:00Z') },
  }) as MailContent;

describe('A mail that is sent as it was submitted', () => {
  it('gets our From, To, Cc, Message-ID, Date if it has none, provider headers and unsubscribe link, and nothing else', async () => {
    const visible = { to: [{ email: 'ada@example.org', name: 'Ada' }], cc: [{ email: 'bob@example.org', name: '' }] };
    const mail = message([Buffer.from(SOURCE)], { unsubscribeUrl: 'https://example.com/u', visible });
    const { raw, rest = [], messageId, is8Bit } = composeMail(mail, { 'X-SMTPAPI': '{"a": 1}' });
    expect(rest).toEqual([]);
    expect({ messageId, is8Bit }).toEqual({ messageId: 'cmessage@example.com', is8Bit: false });
    expect(raw.toString()).toBe(
      [
        'From: =?UTF-8?Q?Sh=C3=B6p?= <shop@example.com>',
        'To: Ada <ada@example.org>',
        'Cc: bob@example.org',
        'Message-ID: <cmessage@example.com>',
        'Date: Mon, 01 Jun 2026 10:00:00 +0000',
        'X-SMTPAPI: {"a": 1}',
        'List-Unsubscribe: <https://example.com/u>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        SOURCE,
      ].join('\r\n'),
    );
    const dated = composeMail(message([Buffer.from(`Date: x\r\n${SOURCE}`)]));
    expect(dated.raw.toString().match(/^Date:/gm)).toHaveLength(1);
  });

  it('gets a Date if it has no headers of its own, whatever its text looks like', async () => {
    const { raw } = composeMail(message([Buffer.from('\r\nDate: tomorrow\r\n\r\nBye\r\n')]));
    expect(raw.toString()).toMatch(/\r\nDate: Mon, 01 Jun 2026 10:00:00 \+0000\r\n\r\nDate: tomorrow\r\n/);
  });

  it('is announced as 8-bit if it is', async () => {
    expect(composeMail(message([Buffer.from(SOURCE), Buffer.from('ä\r\n')])).is8Bit).toBe(true);
  });

  it('has a signature that covers all of its pieces, wherever these were cut', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const bytes = Buffer.from(SOURCE + 'line  of\ttext \r\n\r\n'.repeat(2_000) + '\r\n\r\n');
    async function* cut() {
      yield await Promise.resolve(bytes.subarray(0, 1_001));
      yield bytes.subarray(1_001, 20_000);
      yield bytes.subarray(20_000);
    }
    const pieces: Buffer[] = [];
    for await (const lines of wholeLines(cut())) pieces.push(lines);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    const { raw, rest = [] } = composeMail(message(pieces));
    const key = { domainName: 'example.com', selector: 's1', privateKey };
    const signed = await signMail(raw, unsignedHeader(raw, key, rest), key);
    const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
    const { results } = await dkimVerify(Buffer.concat([signed, ...rest]), {
      resolver: () => Promise.resolve([[record]]),
    });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
  });
});
