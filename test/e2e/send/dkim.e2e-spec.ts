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

  it('is signed so that a receiver can verify it, the unsubscribe headers included', async () => {
    await sendEmail(service, key.secret, {
      fromEmail: `orders@${DOMAIN}`,
      fromName: 'Zoë’s Shop',
      subject: 'Größe ✓',
      html: `<p>${'Thank you. '.repeat(200)}</p>`,
      unsubscribeUrl: `https://${DOMAIN}/u/${'1'.repeat(1_500)}`,
    });
    const mail = await waitFor('the mail', () => relay.received()[0]);
    const txt = records.find(({ name }) => name.includes('._domainkey.'))!;
    const { results } = await dkimVerify(Buffer.from(mail.raw), {
      resolver: (name: string, type: string) =>
        Promise.resolve(name === txt.name && type === 'TXT' ? [[txt.value]] : []),
    });
    expect(results).toHaveLength(1);
    const [signature] = results;
    expect(signature?.status.result).toBe('pass');
    expect(signature?.signingDomain).toBe(DOMAIN);
    const signed = /^DKIM-Signature:[^]*?\bh=([^;]+);/m.exec(mail.raw)?.[1] ?? '';
    expect(signed.toLowerCase().split(/[:\s]+/)).toEqual(
      expect.arrayContaining(['from', 'to', 'subject', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
  });
});
