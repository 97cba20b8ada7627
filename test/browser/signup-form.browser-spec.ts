import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';

import { launchBrowser } from '../support/browser.js';
import { CampaignFixture } from '../support/campaign-fixture.js';
import { FORM_SENDER, FormFixture, linkIn, type TestForm } from '../support/form-fixture.js';
import { RelayFixture } from '../support/relay-fixture.js';
import { addTopic } from '../support/topics.js';
import { waitFor } from '../support/wait-for.js';

const EMAIL = 'ada@example.org';
const WORDING = 'I want the newsletter.\nI can leave at any time.';
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const IP = /^[\da-f.:]+$/;

describe('A page of another origin that embeds a form', () => {
  let relay: RelayFixture;
  let fixture: FormFixture;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let form: TestForm;
  let listId: string;
  let topicIds: [string, string];
  const faults: string[] = [];

  beforeAll(async () => {
    relay = await RelayFixture.start();
    fixture = await FormFixture.open(relay.service, { name: 'Sons & Co' });
    server = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (request.url !== '/') response.writeHead(404);
      response.end(
        request.url === '/'
          ? `<!doctype html><link rel="icon" href="data:,"><h1>Shop</h1><script src="${relay.service.url}/f/${form.id}/embed.js" async></script>`
          : '',
      );
    }).listen(0, 'localhost');
    await once(server, 'listening');
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    listId = await fixture.createList();
    topicIds = [
      (await addTopic(fixture.account, { name: 'News', byDefault: 'out' })).id,
      (await addTopic(fixture.account, { name: 'Offers', byDefault: 'out' })).id,
    ];
    const templateId = await fixture.createTemplate({ subject: 'Welcome', text: 'Hello {{firstName}}' });
    form = await fixture.createForm({
      ...{ challenge: 'altcha', fields: ['firstName'], listIds: [listId], topicIds, allowedOrigins: [origin] },
      ...{ wording: WORDING, welcome: { templateId } },
    });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    await relay.stop();
  });

  const mails = () => relay.relay.received().filter(({ envelope }) => envelope.to.includes(EMAIL));
  const audienceOf = async (campaignId: string) =>
    (await fixture.account.asMember('get', `/api/campaigns/${campaignId}/audience`).expect(200)).body;
  const exportedConsents = async () => {
    const { text } = await fixture.account.asAdmin('get', `/api/consents/export?email=${EMAIL}`).expect(200);
    return parse(text, { columns: true }) as unknown as Record<string, string>[];
  };

  it('signs a person up, who confirms by mail, is welcomed once, gets campaigns, and unsubscribes, with a record of each step', async () => {
    await page.goto(origin);
    const frame = page.frameLocator('iframe[title="Sign-up form"]');
    await frame.getByLabel('Email address').fill(EMAIL);
    await frame.getByLabel('First name').fill('Ada');
    await frame.getByRole('button', { name: 'Sign up' }).click();
    await frame.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const height = async () => (await page.locator('iframe').boundingBox())!.height;
    await waitFor('the frame to fit its page', async () => (await height()) < 400);
    expect(faults).toEqual([]);

    const confirmation = await waitFor('the confirmation mail', () => mails()[0]);
    expect(confirmation.parsed.headers.get('auto-submitted')).toBe('auto-generated');
    await page.goto(relay.service.url + linkIn(confirmation.parsed.text!));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    await page.reload();

    const welcome = await waitFor('the welcome mail', () => mails()[1]);
    expect(welcome.parsed).toMatchObject({ subject: 'Welcome', text: expect.stringContaining('Hello Ada') });
    expect(await fixture.contactOf(EMAIL)).toMatchObject({ status: 'active', listIds: [listId] });

    await fixture.account
      .asAdmin('patch', '/api/settings')
      .send({ consent: { requiredFor: 'campaigns' } })
      .expect(200);
    const campaigns = CampaignFixture.forAccount(relay.service, fixture.account);
    const plan = { fromEmail: FORM_SENDER, audience: { listIds: [listId] }, topicId: topicIds[0] };
    const { id } = await campaigns.create(plan);
    expect(await audienceOf(id)).toMatchObject({ active: 1, withoutConsent: 0, outOfTopic: 0 });
    await campaigns.act(id, 'start').expect(200);
    const news = await waitFor('the campaign', () => mails()[2]);
    expect(news.parsed.subject).toBe('News');
    const path = /\/u\/[\w-]+/.exec(news.raw.replaceAll('\r\n ', ''))![0];
    await relay.service.request('post', path).type('form').send('List-Unsubscribe=One-Click').expect(200);
    expect(await audienceOf((await campaigns.create(plan)).id)).toMatchObject({ active: 0 });

    const shared = { address: EMAIL, ip: expect.stringMatching(IP), occurredAt: expect.stringMatching(INSTANT) };
    const agreed = { ...shared, source: 'form', formId: form.id, wordingVersion: '1', wording: WORDING };
    expect(await exportedConsents()).toMatchObject([
      { ...shared, action: 'withdrawn', source: 'one_click', topicId: topicIds[0] },
      ...topicIds
        .flatMap((topicId) => ['requested', 'granted'].map((action) => ({ ...agreed, action, topicId })))
        .toReversed(),
    ]);
    expect(mails()).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('shows nothing in a page of an origin that is not allowed', async () => {
    await fixture.account
      .asAdmin('patch', `/api/forms/${form.id}`)
      .send({ allowedOrigins: ['https://www.example.com'] })
      .expect(200);
    await page.goto(origin);
    await waitFor('the refusal', () => faults.some((text) => text.includes('frame-ancestors')));
    expect(await page.frameLocator('iframe').getByLabel('Email address').count()).toBe(0);
  });
});
