import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { NARROW, WIDE } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { FakeAws } from '../support/fake-aws/fake-aws.js';
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
    await page.getByRole('button', { name: 'Save: SMS' }).click();
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
});
