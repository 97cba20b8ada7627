import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { freePort } from '../support/redis.js';
import { SmtpClient } from '../support/smtp-client.js';

describe('The first send', () => {
  let fixture: DashboardFixture;
  let smtpPort: number;

  beforeAll(async () => {
    smtpPort = await freePort();
    const submission = { SMTP_PORT: String(smtpPort), SMTP_ALLOW_PLAINTEXT_AUTH: 'true' };
    fixture = await DashboardFixture.start({ HOST: '127.0.0.1', BASE_URL: 'http://mail.example.com', ...submission });
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('returns to the requested page after the login, creates a key, and shows the message while it is sent', async () => {
    const { page } = await fixture.visit('admin', '/api-keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/api-keys');

    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = await dialog.getByText(/^sk_/).first().innerText();
    expect(await dialog.getByText(/^curl /).innerText()).toContain(`-H 'X-API-Key: ${secret}'`);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('row', { name: /Shop/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByText('No messages yet').waitFor();
    let finish: (() => void) | undefined;
    fixture.relay.answer = (stage) =>
      stage === 'data'
        ? new Promise(
            (resolve) =>
              (finish = () => {
                resolve(undefined);
              }),
          )
        : undefined;
    await fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({ to: 'ada@example.org', fromEmail: SENDER, subject: 'Your order', html: '<p>Thank you</p>' })
      .expect(201);
    const row = page.getByRole('row', { name: /ada@example.org/ });
    await row.getByText('Sending').waitFor();
    finish!();
    await row.getByText('Sent', { exact: true }).waitFor();

    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    await page.frameLocator('iframe').getByText('Thank you').waitFor();
    await page.getByText('250', { exact: false }).first().waitFor();
  });

  it('shows how programs that speak only SMTP use a new key, if it may send', async () => {
    const { page } = await fixture.visit('admin', '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('WordPress');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Or send by SMTP').waitFor();
    await dialog
      .getByText(`Port ${smtpPort} (without TLS), user apikey, and the API key as password.`, { exact: true })
      .waitFor();
    await dialog.getByText('mail.example.com', { exact: true }).waitFor();
    const secret = await dialog.getByText(/^sk_/).first().innerText();
    const client = await SmtpClient.login(smtpPort, secret);
    client.close();
  });

  it('asks for a new login when the session has ended', async () => {
    const visitor = await fixture.visit('admin', '/messages?search=ada');
    const { page } = visitor;
    await page.getByRole('searchbox').waitFor();
    await visitor.settle();
    await page.evaluate(`sessionStorage.clear()`);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('back')).toBe('/messages?search=ada');
  });

  it('keeps unsaved input when the session expires, and asks for the password', async () => {
    const visitor = await fixture.visit('admin', '/templates/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Welcome');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('Plain text').fill('Half a day of work');
    const authorised = '**/api/templates';
    await interceptRequests(page, authorised, (route) =>
      route.fulfill({ status: 401, json: { message: 'Session expired', error: 'Unauthorized', statusCode: 401 } }),
    );
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog
      .getByLabel(/^Password/)
      .and(page.locator('input'))
      .fill('a wrong one');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('Invalid email or password').waitFor();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.unroute(authorised);
    await dialog
      .getByLabel(/^Password/)
      .and(page.locator('input'))
      .fill('a password of eight or more');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Plain text').inputValue()).toBe('Half a day of work');
    await page.getByText('Session expired').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    visitor.faults.length = 0; // the browser logs both 401
  });
});
