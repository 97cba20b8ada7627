import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { NARROW } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

const run = promisify(execFile);
const ADA = { email: 'ada@northwind.example', password: 'a password of eight or more', role: 'admin' };
const LARGE = { width: 1440, height: 900 };

describe('The first run', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ SMTP_URL: '' });
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  /** A user of a new account, who has just signed in. */
  const arrive = async (user: typeof ADA, viewport = LARGE) => {
    const account = await fixture.service.createAccount({ name: 'Northwind' });
    await account.asAdmin('post', '/api/users').send(user).expect(201);
    const visitor = await fixture.arrive({ viewport });
    await visitor.open('/');
    await visitor.logIn(user);
    await visitor.page.getByText('0 of 5 steps done.').waitFor();
    return { visitor, account };
  };
  const stepOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
  const isDone = (page: Page, title: string) => stepOf(page, title).getByLabel('Done').waitFor();
  const openOverview = (page: Page) => page.getByRole('link', { name: 'Overview' }).click();
  const exampleIn = async (page: Page, name: string) => {
    await page.getByRole('tab', { name }).click();
    return page.getByRole('tabpanel', { name }).locator('code').innerText();
  };
  const linkInMail = async () => {
    const mail = await waitFor('the verification mail', () => fixture.relay.received().at(-1));
    return new URL(/https?:\S+\/verify-sender\/\S+/.exec(mail.parsed.text ?? '')![0]).pathname;
  };

  it('leads from the sign-in to a delivered email, and each step completes itself', async () => {
    const { visitor } = await arrive(ADA);
    const { page } = visitor;

    await stepOf(page, 'Connect an email provider').getByRole('link', { name: 'Open settings' }).click();
    await page.getByLabel('Host', { exact: true }).fill('127.0.0.1');
    await page.getByRole('textbox', { name: 'Port' }).fill(String(fixture.relay.port));
    await page.getByRole('button', { name: 'Save: SMTP relay' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    await openOverview(page);
    await isDone(page, 'Connect an email provider');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The provider accepts the saved settings.').waitFor();

    await page.getByRole('link', { name: 'Add sender or domain' }).click();
    await page.getByRole('button', { name: 'Add sender' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('shop@northwind.example');
    await dialog.getByRole('button', { name: /^(Add|Send)/ }).click();
    const verification = await linkInMail();
    await openOverview(page);
    await page.getByText('Open the link in the email to shop@northwind.example').waitFor();
    await fixture.service.request('post', verification).expect(200);
    await isDone(page, 'Verify a sender or a domain');

    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await isDone(page, 'Create an API key');
    await page.getByText('With the key “Shop”').waitFor();

    const sent = await run('bash', ['-c', await exampleIn(page, 'curl')]);
    expect(JSON.parse(sent.stdout)).toMatchObject({ queued: true });
    await page.getByText(`The message to ${ADA.email} has been sent.`).waitFor();
    await isDone(page, 'Send the first message');
    const program = await exampleIn(page, 'TypeScript');
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout).toMatch(/^201 \{ queued: true/);
    await waitFor('both mails', () => fixture.relay.received().length === 3);
    for (const { envelope } of fixture.relay.received().slice(1))
      expect(envelope).toEqual({ from: 'shop@northwind.example', to: [ADA.email] });

    await page.getByRole('link', { name: 'Add endpoint' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByLabel('URL').fill('https://crm.northwind.example/hooks');
    await dialog.getByRole('button', { name: /^Add/ }).click();
    await dialog.getByText('shown only once').or(page.getByText('crm.northwind.example')).first().waitFor();
    await visitor.settle();
    await page.reload();
    await openOverview(page);
    await page.getByText('All steps done.').waitFor();
    await page.getByText('Replace YOUR_API_KEY with an API key').waitFor();
    await visitor.settle();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Hide checklist' }).click();
    await page.getByText('Get started').waitFor({ state: 'detached' });
    await visitor.settle();
    await page.reload();
    await page.getByText('100% of accepted').first().waitFor();
    expect(await page.getByText('Get started').count()).toBe(0);
  });

  it('fills in a new key until it is revoked, and no test key', async () => {
    const { visitor } = await arrive({ ...ADA, email: 'joan@northwind.example' });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const create = async (name: string, isTest: boolean) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByLabel('Name').fill(name);
      if (isTest) await dialog.getByLabel('Test key').check();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
    };
    await create('Shop', false);
    await page.getByText('With the key “Shop”').waitFor();
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await create('Trial', true);
    await openOverview(page);
    await page.getByText('With the key “Shop”').waitFor();
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('“Shop” has been revoked.').waitFor();
    await openOverview(page);
    await page.getByText('Replace YOUR_API_KEY with an API key').waitFor();
    expect(await exampleIn(page, 'curl')).toContain('YOUR_API_KEY');
  });

  it('says why the provider refuses the settings', async () => {
    fixture.relay.answer = (stage) => (stage === 'connect' ? { code: 554, message: 'Not from here' } : undefined);
    const { visitor, account } = await arrive({ ...ADA, email: 'lin@northwind.example' });
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: '127.0.0.1', port: fixture.relay.port, username: null } })
      .expect(200);
    await visitor.page.getByRole('button', { name: 'Test connection' }).click();
    await visitor.page.getByText(/554.*Not from here/).waitFor();
    fixture.relay.reset();
  });

  it.each([
    ['light', LARGE],
    ['dark', LARGE],
    ['light', { width: 820, height: 1180 }],
    ['dark', NARROW],
    ['light', NARROW],
  ] as const)('is accessible and fits the screen, %s, %o', async (colorScheme, viewport) => {
    const email = `${colorScheme}${viewport.width}@northwind.example`;
    const { visitor } = await arrive({ ...ADA, email, role: 'member' }, viewport);
    await visitor.page.emulateMedia({ colorScheme });
    await visitor.settle();
    expect(await visitor.violations()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);
    expect(await visitor.page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await visitor.picture(`first-run-${viewport.width}-${colorScheme}`);
  });
});
