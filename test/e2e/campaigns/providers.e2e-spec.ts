import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

import { CampaignFixture } from '../../support/campaign-fixture.js';
import { DnsServer } from '../../support/dns-server.js';
import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';

const DOMAIN = 'news.example.com';
const SENDER = 'hello@example.org';
const SES = { region: 'eu-west-1', accessKeyId: 'AKIANEWS', secretAccessKey: 'a secret of SES' };
const HTML = '<p><a href="https://example.com/offer">Offer</a> <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>';
const POST = /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m;

interface PublishedRecord {
  type: 'TXT' | 'MX' | 'CNAME';
  name: string;
  value: string;
  priority?: number;
}

describe('The mail of a campaign', () => {
  let dns: DnsServer;
  let aws: FakeAws;
  let relay: SmtpSink;
  let service: TestService;

  beforeAll(async () => {
    [dns, aws, relay] = await Promise.all([DnsServer.start(), FakeAws.start(), SmtpSink.start()]);
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    service = await TestService.start({ SMTP_URL: relay.url, DNS_SERVERS: dns.address });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([dns.stop(), aws.stop(), relay.stop()]);
    delete process.env.AWS_ENDPOINT_URL_SESV2;
  });

  async function send(fixture: CampaignFixture, fields: object = {}): Promise<void> {
    const { id } = await fixture.createFor(3, { html: HTML, ...fields });
    await fixture.act(id, 'start').expect(200);
    const campaign = await fixture.untilStatus(id, 'completed');
    expect(campaign.stats).toMatchObject({ total: 3, status: { sent: 3 } });
  }

  it('is signed by the domain over SMTP, with the unsubscribe headers', async () => {
    const account = await service.createAccount();
    const { body } = await account.asAdmin('post', '/api/domains').send({ name: DOMAIN }).expect(201);
    const records: PublishedRecord[] = body.records;
    for (const { type, name, value, priority } of records)
      dns.set(name, type, [type === 'MX' ? { priority: priority!, exchange: value } : value] as never);
    await account.asAdmin('post', `/api/domains/${body.id}/verify`).expect(200);
    await send(CampaignFixture.forAccount(service, account), { fromEmail: `news@${DOMAIN}` });

    const txt = records.find(({ name }) => name.includes('._domainkey.'))!;
    const resolver = (name: string, type: string) =>
      Promise.resolve(name === txt.name && type === 'TXT' ? [[txt.value]] : []);
    expect(relay.received()).toHaveLength(3);
    for (const { raw } of relay.received()) {
      const { results } = await dkimVerify(Buffer.from(raw), { resolver });
      expect(results).toMatchObject([{ signingDomain: DOMAIN, status: { result: 'pass' } }]);
      const signed = /^DKIM-Signature:[^]*?\bh=([^;]+);/m.exec(raw)?.[1] ?? '';
      expect(signed.toLowerCase().split(/[:\s]+/)).toEqual(
        expect.arrayContaining(['from', 'to', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
      );
      expect(raw).toMatch(POST);
    }
  });

  it('is submitted to SES with the unsubscribe headers and native tracking', async () => {
    const account = await service.createAccount();
    await account
      .asAdmin('patch', '/api/settings')
      .send({ emailProvider: 'ses', ses: SES, tracking: 'native' })
      .expect(200);
    await account.verifySender(SENDER);
    await send(CampaignFixture.forAccount(service, account));

    expect(aws.sent()).toHaveLength(3);
    expect(new Set(aws.sent().flatMap(({ to }) => to)).size).toBe(3);
    for (const { raw, from, tags } of aws.sent()) {
      expect(from).toBe(SENDER);
      const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ');
      const [, unsubscribeUrl] = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(unfolded)!;
      expect(raw).toMatch(POST);
      const body = decoded(raw);
      expect(body).toContain(`href="${unsubscribeUrl}"`);
      expect(body).toContain(`/r/${tags.message_id}?u=https%3A%2F%2Fexample.com%2Foffer`);
      expect(body).toContain(`/r/${tags.message_id}/open.gif`);
      expect(body).not.toContain('href="https://example.com/offer"');
    }
    const [mail] = aws.sent();
    const [link] = /https?:\/\/[^"\s]+\/r\/[^"\s]+offer[^"\s]*/.exec(decoded(mail!.raw))!;
    const { pathname, search } = new URL(link);
    await service
      .request('get', pathname + search)
      .expect(302)
      .expect('Location', 'https://example.com/offer');
  });
});

/** Quoted-printable and HTML entities, as far as links need them. */
const decoded = (raw: string): string => raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=').replaceAll('&amp;', '&');
