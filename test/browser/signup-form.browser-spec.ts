import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { launchBrowser } from '../support/browser.js';
import { FormFixture, linkIn, type TestForm } from '../support/form-fixture.js';
import { RelayFixture } from '../support/relay-fixture.js';
import { waitFor } from '../support/wait-for.js';

const EMAIL = 'ada@example.org';

describe('A page of another origin that embeds a form', () => {
  let relay: RelayFixture;
  let fixture: FormFixture;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let form: TestForm;
  let listId: string;
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
    const templateId = await fixture.createTemplate({ subject: 'Welcome', text: 'Hello {{firstName}}' });
    form = await fixture.createForm({
      ...{ challenge: 'altcha', fields: ['firstName'], listIds: [listId], allowedOrigins: [origin] },
      welcome: { templateId },
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

  it('signs a person up, who confirms by mail, is welcomed once, gets campaigns, and unsubscribes', async () => {
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
    const path = /\/u\/[\w-]+/.exec(welcome.raw.replaceAll('\r\n ', ''))![0];
    await relay.service.request('post', path).type('form').send('List-Unsubscribe=One-Click').expect(200);
    const records = await fixture.consentsOf(EMAIL);
    expect(records.map(({ action, source }) => [action, source])).toEqual([
      ['withdrawn', 'one_click'],
      ['granted', 'form'],
      ['requested', 'form'],
    ]);
    expect(mails()).toHaveLength(2);
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
