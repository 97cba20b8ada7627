import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { DomainResponse } from '../../src/modules/domains/http/domain.response.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { DnsServer } from '../support/dns-server.js';
import { interceptRequests } from '../support/intercept-requests.js';

describe('The page of a domain', () => {
  let fixture: DashboardFixture;
  let dns: DnsServer;

  beforeAll(async () => {
    dns = await DnsServer.start();
    fixture = await DashboardFixture.start({ DNS_SERVERS: dns.address });
  });
  afterAll(async () => {
    await fixture.stop();
    await dns.stop();
  });
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('shows the records as panels want them, what DNS has instead, and when everything is right', async () => {
    const { body } = await fixture.account
      .asAdmin('post', '/api/domains')
      .send({ name: 'mail.northwind.co.uk' })
      .expect(201);
    const { id, name, records } = body as DomainResponse;
    const dkim = records.find(({ purpose }) => purpose === 'dkim')!;
    const spf = records.find(({ purpose }) => purpose === 'spf')!;
    dns.set(name, 'TXT', ['v=spf1 -all', 'site-verification=1']);

    const visitor = await fixture.visit('admin', `/domains/${id}`);
    const { page } = visitor;
    const table = page.getByRole('table', { name: 'DNS records' });
    const shortDkim = dkim.name.replace('.northwind.co.uk', '');
    await table.getByText(shortDkim, { exact: true }).waitFor();
    await table.getByText('mail', { exact: true }).first().waitFor();
    await table.getByText('v=spf1 -all', { exact: true }).waitFor();
    expect(await table.getByText('site-verification=1').count()).toBe(0);
    await table.getByText('Not found').first().waitFor();
    await page.getByText('Full names').click();
    await table.getByText(dkim.name, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'How to add them: Cloudflare' }).click();
    await page.getByText('Set the proxy status of CNAME records to “DNS only”.').waitFor();
    expect(await visitor.violations()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);

    await page.getByRole('button', { name: 'Copy all as zone file' }).click();
    await page.getByRole('button', { name: 'Copy all as zone file' }).getByText('Copied').waitFor();
    expect(await visitor.clipboard()).toContain(`${name}.\t3600\tIN\tTXT\t"${spf.value}"\n`);

    dns.set(dkim.name, 'TXT', [dkim.value]);
    dns.set(name, 'TXT', [spf.value]);
    dns.set(name, 'MX', [{ priority: 10, exchange: 'mx.northwind.co.uk' }]);
    await page.locator('header').getByText('Verified').waitFor();
    await table.getByText('As expected').nth(1).waitFor();
    await table.getByText('Sufficient').waitFor();
  });

  it('says that what DNS has could not be loaded', async () => {
    const { id } = (await fixture.account.asAdmin('post', '/api/domains').send({ name: 'northwind.com' }).expect(201))
      .body;
    const { page, faults } = await fixture.visit('member', '/domains');
    await interceptRequests(page, '**/published-records', (route) => route.fulfill({ status: 500 }));
    await page.locator(`a[href$="/domains/${id}"]`).click();
    await page.getByRole('table', { name: 'DNS records' }).getByText('Could not load this').first().waitFor();
    faults.length = 0; // the browser logs the 500
  });
});
