import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { OutboxDispatcher } from '../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describe('Webhooks', () => {
  let fixture: DashboardFixture;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    fixture = await DashboardFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  });
  afterAll(async () => {
    await fixture.stop();
    await receiver.stop();
  });
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('are added and tested; a failed delivery shows why and can be retried', async () => {
    const visitor = await fixture.visit('admin', '/webhooks');
    const { page } = visitor;
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url('/crm'));
    await dialog.getByLabel('Description').fill('CRM');
    await dialog.getByLabel('contact.suppressed').check();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('webhook-new-1280');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('heading', { name: receiver.url('/crm') }).waitFor();

    await page.getByRole('button', { name: 'Reveal' }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    await receiver.trust('/crm', { current: secret });
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('button', { name: 'Reveal' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await receiver.answer('/crm', 204, { status: 422, body: 'unknown contact' }, 204);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText(/^Responded with 204 after/).waitFor();

    await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.org' }).expect(201);
    await fixture.service.app.get(OutboxDispatcher, { strict: false }).dispatch();
    const row = page.getByRole('row', { name: /contact\.suppressed/ });
    await row.getByText('Failed permanently').waitFor();
    await row.getByText(/^422 · \d+ ms$/).waitFor();
    await row.locator('td:last-child time').waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(40); // one line
    await page.getByText('ada@example.org', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^Deliveries by hour\. Delivered: 0, Failed: 1, Waiting: 0\.$/ }).waitFor();
    await row.getByRole('link').click();
    await page.getByText('unknown contact').waitFor();
    await page.getByText(/x-service-attempt: 1/i).waitFor();
    await page.getByText('Response headers').waitFor();
    await page.getByText(/connection: keep-alive/).waitFor();
    await page.getByText('"email": "ada@example.org"').waitFor();
    await page.getByRole('button', { name: 'Copy response body (first kilobyte)' }).waitFor();
    expect(await visitor.violations()).toEqual([]);

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByRole('button', { name: /Attempt 2/ }).waitFor();
    const signatures = (await receiver.received('/crm')).map(({ signature }) => signature);
    expect(signatures).toEqual(['valid', 'valid', 'valid']);
  });

  it('retries all that failed since a time, and shows how to verify the signature', async () => {
    const { body } = await fixture.account
      .asAdmin('post', '/api/webhooks')
      .send({ url: receiver.url('/recovered'), events: ['contact.suppressed'] })
      .expect(201);
    await receiver.answer('/recovered', 400, 400, 204);
    for (const email of ['kim@example.org', 'noor@example.org']) {
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
      await fixture.service.app.get(OutboxDispatcher, { strict: false }).dispatch();
    }
    const visitor = await fixture.visit('admin', `/webhooks/${body.id}`);
    const { page } = visitor;
    const rows = (state: string) => page.getByRole('row').filter({ hasText: state });
    await rows('Failed permanently').nth(1).waitFor();
    await page.getByRole('button', { name: 'Retry failed' }).click();
    const dialog = page.getByRole('dialog');
    expect(await visitor.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('2 deliveries will be attempted again.').waitFor();
    await rows('Delivered').nth(1).waitFor();

    await page.getByText("headers['x-service-timestamp']").waitFor();
    await page.getByRole('tab', { name: 'Go' }).click();
    await page.getByText('header.Get("X-Service-Signature-Previous")').waitFor();
    const { page: other } = await fixture.visit('member', `/webhooks/${body.id}`);
    await other.getByRole('row').filter({ hasText: 'Delivered' }).nth(1).waitFor();
    expect(await other.getByRole('button', { name: 'Retry failed' }).count()).toBe(0);
  });

  it('are edited, disabled, given a new secret, and deleted', async () => {
    const { body } = await fixture.account
      .asAdmin('post', '/api/webhooks')
      .send({ url: receiver.url('/shop'), events: ['contact.bounced'] })
      .expect(201);
    const visitor = await fixture.visit('admin', `/webhooks/${body.id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Shop', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText(/^It was disabled manually/).waitFor();
    await page.getByText(/^The endpoint has been disabled\. Events in the meantime are not kept for it\./).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Enable' }).and(page.locator(':focus')).press('Enter');
    await page.getByText('Enabled', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText(/^Requests are also signed with the previous secret until/).waitFor();
    const secret = await page.getByText(/^whsec_/).innerText();
    expect(secret).not.toBe(body.signingSecret);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    expect(await page.getByText(receiver.url('/shop')).count()).toBe(0);
  });
});
