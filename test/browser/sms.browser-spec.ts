import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { NARROW, WIDE } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { FakeAws } from '../support/fake-aws/fake-aws.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { waitFor } from '../support/wait-for.js';

const ACCESS_KEY_ID = 'AKIASMS1';
const ORIGINATION = '+12065550100';
const RECIPIENT = '+14155550100';
const OPTED_OUT = '+14155550199';

describe('SMS', () => {
  let fixture: DashboardFixture;
  let aws: FakeAws;

  beforeAll(async () => {
    aws = await FakeAws.start();
    process.env.AWS_ENDPOINT_URL_SNS = aws.url;
    fixture = await DashboardFixture.start();
  });
  afterAll(async () => {
    await fixture.stop();
    await aws.stop();
  });
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const send = (path: string, secret: string, body: object) =>
    fixture.service.request('post', path).set('X-API-Key', secret).send(body);

  it('can be configured, sent and filtered, and its opt-outs are synced', async () => {
    const ses = { region: 'eu-west-1', accessKeyId: ACCESS_KEY_ID, secretAccessKey: 'a secret of AWS' };
    await fixture.account.asAdmin('patch', '/api/settings').send({ ses }).expect(200);
    const { sms } = aws.account(ACCESS_KEY_ID);
    sms.sandbox = true;
    sms.sandboxNumbers.set(RECIPIENT, 'Verified');
    sms.optedOut.add(OPTED_OUT);

    const { page } = await fixture.visit('admin', '/settings');
    await page.getByLabel('SMS region').fill('us-east-1');
    await page.getByLabel('Origination number').and(page.locator('input')).fill(ORIGINATION);
    await page.getByRole('button', { name: 'Save: SMS', exact: true }).click();
    await page.getByText('The settings have been saved.', { exact: true }).waitFor();
    await page.getByText('Not synced yet').waitFor();

    const { secret } = await fixture.account.createKey();
    const mail = { to: 'ada@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Hello' };
    await send('/api/send/transactional', secret, mail).expect(201);
    await waitFor('SMS to be known', async () => {
      const { status } = await send('/api/send/sms', secret, { to: RECIPIENT, body: 'Your code is 4711' });
      return status === 201;
    });
    await page.getByRole('button', { name: 'Sync opt-outs now' }).click();
    await page.getByText('1 listed, 1 newly added', { exact: true }).waitFor();
    await interceptRequests(page, '**/api/sms/sync-optouts', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 202, json: { added: 20, total: 400, syncedAt: null } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Sync opt-outs now' }).click();
    await page.getByText('the sync continues in the background. So far 400 listed, 20 newly added.').waitFor();
    const sandbox = page.getByText('Only verified numbers can receive SMS');
    await sandbox.waitFor();
    await page.getByText(RECIPIENT).waitFor();
    await page.setViewportSize(NARROW);
    const { x, width } = (await sandbox.boundingBox())!;
    expect(x + width).toBeLessThan(NARROW.width);
    await page.setViewportSize(WIDE);

    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('row', { name: /ada@example\.org/ }).waitFor();
    await page.getByLabel('Channel').and(page.locator('input')).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    const row = page.getByRole('row', { name: new RegExp(RECIPIENT.slice(1)) });
    await row.getByText('Sent', { exact: true }).waitFor();
    await page.getByRole('row', { name: /ada@example\.org/ }).waitFor({ state: 'detached' });
    await row.getByRole('link').click();
    await page.getByText('Your code is 4711').waitFor();
    await page.getByText('1, GSM-7').waitFor();

    await page.getByRole('link', { name: 'Suppressions' }).click();
    await page.getByRole('row', { name: /14155550199 SMS opt-out/ }).waitFor();
  });

  it('has quiet hours and stop words of the account', async () => {
    await fixture.account
      .asAdmin('patch', '/api/settings')
      .send({ sms: { region: 'us-east-1' } })
      .expect(200);
    const stored = async () => (await fixture.account.asAdmin('get', '/api/settings').expect(200)).body.sms;
    const { page } = await fixture.visit('admin', '/settings');
    const save = page.getByRole('button', { name: 'Save: SMS replies and quiet hours' });
    const form = page.locator('form').filter({ has: save });
    const quiet = form.getByRole('switch', { name: /^Quiet hours/ });
    const saved = page.getByText('The settings have been saved.', { exact: true });
    await form.getByLabel('Own stop words').and(page.locator('input')).fill('Stopp');
    await quiet.check();
    await form.getByLabel('From', { exact: true }).fill('22:30');
    await form.getByLabel('Time zone').and(page.locator('input')).fill('New York');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await save.click();
    await saved.waitFor();
    expect(await stored()).toMatchObject({
      stopWords: ['Stopp'],
      quietHours: { from: '22:30', to: '08:00', timeZone: 'America/New_York' },
    });

    await quiet.uncheck();
    await save.click();
    await waitFor('quiet hours to be removed', async () => (await stored()).quietHours === null);
    expect(await stored()).toMatchObject({ stopWords: ['Stopp'] });
  });

  it('can be sent through another provider, which has fields of its own and no opt-out list', async () => {
    const { page } = await fixture.visit('admin', '/settings');
    await page.getByRole('combobox', { name: 'Provider', exact: true }).click();
    await page.getByRole('option', { name: 'Twilio' }).click();
    await page.getByLabel('SMS region').waitFor({ state: 'detached' });
    await page.getByLabel('Account SID').fill(`AC${'a'.repeat(32)}`);
    await page.getByLabel('Auth token').fill('the token of the account');
    await page.getByLabel('From', { exact: true }).fill('(206) 555-0199');
    await page.getByRole('button', { name: 'Save: SMS', exact: true }).click();
    await page.getByText('The settings have been saved.', { exact: true }).waitFor();
    const { body } = await fixture.account.asAdmin('get', '/api/settings').expect(200);
    expect(body.sms).toMatchObject({ provider: 'twilio', twilio: { from: '+12065550199', authTokenSet: true } });
    await page.getByRole('button', { name: 'Sync opt-outs now' }).waitFor({ state: 'detached' });

    await page.getByLabel('Account SID').fill(`AC${'b'.repeat(32)}`);
    await page.getByText('The saved token is for the previous account.').waitFor();
    await page.getByLabel('Account SID').fill(`AC${'a'.repeat(32)}`);
    await page.getByLabel('Messaging service SID').fill(`MG${'c'.repeat(32)}`);
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save: SMS', exact: true }).click();
    await waitFor('the change', async () => {
      const shown = await fixture.account.asAdmin('get', '/api/settings').expect(200);
      return shown.body.sms.twilio.messagingServiceSid === `MG${'c'.repeat(32)}`;
    });
  });
});
