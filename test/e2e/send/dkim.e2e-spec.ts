import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import type { TestAccount, TestKey } from '../../support/account.js';
import { DnsServer } from '../../support/dns-server.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const DOMAIN = 'shop.example.com';

interface PublishedRecord {
  type: 'TXT' | 'MX' | 'CNAME';
  name: string;
  value: string;
  priority?: number;
}

describe('An e-mail from a verified domain over SMTP', () => {
  let dns: DnsServer;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let records: PublishedRecord[];

  beforeAll(async () => {
    dns = await DnsServer.start();
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url, DNS_SERVERS: dns.address });
    account = await service.createAccount();
    key = await account.createKey();
    const { body } = await account.asAdmin('post', '/api/domains').send({ name: DOMAIN }).expect(201);
    records = body.records;
    for (const { type, name, value, priority } of records)
      dns.set(name, type, [type === 'MX' ? { priority: priority!, exchange: value } : value] as never);
    const verified = await account.asAdmin('post', `/api/domains/${body.id}/verify`).expect(200);
    expect(verified.body.status).toBe('verified');
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
    await dns.stop();
  });

  /** Verifies with the published record of the domain. */
  function verify(mail: Buffer) {
    const txt = records.find(({ name }) => name.includes('._domainkey.'))!;
    return dkimVerify(mail, {
      resolver: (name: string, type: string) =>
        Promise.resolve(name === txt.name && type === 'TXT' ? [[txt.value]] : []),
    });
  }
  const verdictOn = async (mail: string) => (await verify(Buffer.from(mail))).results[0]?.status.result;

  it('has a verifiable signature, which includes the unsubscribe headers', async () => {
    await sendEmail(service, key.secret, {
      fromEmail: `orders@${DOMAIN}`,
      fromName: 'Zoë’s Shop',
      subject: 'Größe ✓',
      html: `<p>${'Thank you. '.repeat(200)}</p>`,
      unsubscribeUrl: `https://${DOMAIN}/u/${'1'.repeat(1_500)}`,
    });
    const mail = await waitFor('the mail', () => relay.received()[0]);
    const { results } = await verify(Buffer.from(mail.raw));
    expect(results).toHaveLength(1);
    const [signature] = results;
    expect(signature?.status.result).toBe('pass');
    expect(signature?.signingDomain).toBe(DOMAIN);
    const signed = /^DKIM-Signature:[^]*?\bh=([^;]+);/m.exec(mail.raw)?.[1] ?? '';
    expect(signed.toLowerCase().split(/[:\s]+/)).toEqual(
      expect.arrayContaining(['from', 'to', 'subject', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
  });

  it.each(['\r', '\n', '\r\n', '\n\r', '\r\r\n', '\r\r', '\r\n\r', 'x\r', ' \r', '\r.', '\r\n.\r'])(
    'verifies with any line end in its text, html and variables: %j',
    async (end) => {
      const earlier = relay.received().length;
      const content = `a${end}b${end}{{word}}`;
      await sendEmail(service, key.secret, {
        fromEmail: `orders@${DOMAIN}`,
        html: `<p>${content}</p>`,
        text: content,
        variables: { word: `c${end}d` },
      });
      const { raw } = await waitFor('the mail', () => relay.received()[earlier]);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(await verdictOn(raw)).toBe('pass');
    },
  );

  it.each(['From', 'Subject', 'To', 'Reply-To', 'List-Unsubscribe', 'List-Unsubscribe-Post'])(
    'does not verify with a second %s',
    async (name) => {
      const earlier = relay.received().length;
      await sendEmail(service, key.secret, { fromEmail: `orders@${DOMAIN}`, text: 'Thank you' });
      const { raw } = await waitFor('the mail', () => relay.received()[earlier]);
      expect(await verdictOn(raw)).toBe('pass');
      expect(await verdictOn(`${name}: other@example.net\r\n${raw}`)).toBe('fail');
    },
  );
});
