import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { newId } from '../../src/shared/ids.js';
import type { TestKey } from '../support/account.js';
import { NARROW } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { insertMessages } from '../support/message-rows.js';
import { postEmail, sendEmail } from '../support/send-email.js';
import { waitFor } from '../support/wait-for.js';

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const APPLE_MAIL = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('The page of a message', () => {
  let fixture: DashboardFixture;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    key = await fixture.account.createKey();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    fixture.relay.reset();
    expect(await fixture.faults()).toEqual([]);
  });

  const send = async (mail: object): Promise<string> =>
    (await postEmail(fixture.service, key.secret, mail).expect(201)).body.messageLogId as string;
  const addEvent = (messageId: string, type: string, occurredAt: Date, data: object = {}) =>
    fixture.service.query(
      'INSERT INTO email_events (message_id, id, type, occurred_at, data) VALUES ($1, $2, $3, $4, $5)',
      [messageId, newId(occurredAt), type, occurredAt, data],
    );

  it('tells what happened in the words of people, in the order in which it happened', async () => {
    const createdAt = new Date('2026-11-20T09:00:00Z');
    const [id] = await insertMessages(fixture.service, fixture.account.id, [{ status: 'delivered', createdAt }]);
    const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1_000);
    const response = '451 4.7.1 Greylisted, try again';
    await addEvent(id!, 'delivered', after(62), { smtpResponse: '250 2.0.0 OK' });
    await addEvent(id!, 'opened', after(62), { userAgent: APPLE_MAIL, automated: true });
    await addEvent(id!, 'sent', after(62.4), { attempt: 2, smtpResponse: '250 queued' });
    await addEvent(id!, 'delayed', after(1), { attempt: 1, smtpResponse: response, nextAttemptAt: after(61) });

    const visitor = await fixture.visit('member', `/messages/${id!}`);
    const { page } = visitor;
    const timeline = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Timeline' }) });
    await timeline.getByText('Accepted').waitFor();
    const titles = timeline.locator('.mantine-Timeline-itemTitle');
    expect(await titles.allInnerTexts()).toEqual([
      'Accepted',
      'Delayed',
      'Sent',
      'Delivered',
      'Opened in Apple Mail on macOS, probably a prefetch',
    ]);
    await timeline.getByText('Attempt 1 of 8', { exact: true }).waitFor();
    await timeline.getByText(response).waitFor();
    await timeline.getByText(/· 1 min 1 s later$/).waitFor();
    expect(await timeline.getByText('SMTP response').count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Suppress recipient' }).count()).toBe(0);

    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText(`"smtpResponse": "${response}"`).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('shows when a message that was refused for now is tried again', async () => {
    fixture.relay.answer = (stage) => (stage === 'rcpt' ? { code: 451, message: 'Greylisted' } : undefined);
    const id = await sendEmail(fixture.service, key.secret, { to: 'later@example.org', text: 'Hello' });
    const { page } = await fixture.visit('admin', `/messages/${id}`);
    await page.getByText('Next: attempt 2 of 8').waitFor();
    await page.getByText(/^Not before /).waitFor();
  });

  it('shows the mail as on a phone and with its own images, and loads no others', async () => {
    const html = `<style>p { display: none } @media (max-width: 400px) { .phone { display: block } }
      @media (prefers-color-scheme: dark) { .dark { display: block } }</style>
      <h1>Hello</h1><p class="phone">On a phone</p><p class="dark">In the dark</p><img alt="Logo" src="cid:logo"><img alt="Pixel" src="https://tracker.example/pixel.png">`;
    const logo = { filename: 'logo.png', content: PNG, contentId: 'logo' };
    const id = await send({ subject: 'Images', html, text: 'Plain words', attachments: [logo] });
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    const mail = page.frameLocator('iframe');
    await mail.getByRole('heading', { name: 'Hello' }).waitFor();
    expect(await mail.locator('img[src]').count()).toBe(0);
    await page.getByLabel('Images', { exact: true }).click();
    await mail.locator('img[src^="data:image/png"]').waitFor();
    await page.getByText(/^One remote image is not loaded/).waitFor();
    expect(await mail.locator('img[src]').count()).toBe(1);

    expect(await mail.getByText('On a phone').isVisible()).toBe(false);
    await page.getByText('Mobile', { exact: true }).click();
    await mail.getByText('On a phone').waitFor();
    expect(await mail.getByText('In the dark').isVisible()).toBe(false);
    await page.getByLabel('Dark mode').click();
    await mail.getByText('In the dark').waitFor();
    expect(await visitor.violations()).toEqual([]);

    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByText('Plain words').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('tabpanel').getByText('Message-ID', { exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/^Subject: Images$/m).waitFor();
    await page.getByText('HTML only').click();
    await page.getByText('https://tracker.example/pixel.png').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('suppresses the recipient, and leads to what the message came from', async () => {
    const post = async (path: string, body: object) =>
      (await fixture.account.asAdmin('post', path).send(body).expect(201)).body.id as string;
    const templateId = await post('/api/templates', { name: 'Order shipped', subject: 'Shipped', text: 'On its way' });
    await post('/api/contacts', { email: 'grace@example.org', firstName: 'Grace', lastName: 'Hopper' });
    const id = await send({ to: 'grace@example.org', subject: undefined, templateId });
    const visitor = await fixture.visit('admin', `/messages/${id}`, { viewport: NARROW });
    const { page } = visitor;
    await page.getByRole('link', { name: 'Order shipped' }).waitFor();
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();

    await page.getByRole('button', { name: 'Suppress recipient' }).click();
    await page.getByText(/^grace@example\.org has been suppressed\./).waitFor();
    expect(await visitor.overflows()).toBe(false);
    await page.getByRole('link', { name: 'Yes: manual' }).click();
    await page.getByRole('row', { name: /grace@example\.org/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Suppress recipient' }).count()).toBe(0);
  });

  it('takes back a suppression from the keyboard, but not one with another reason by now', async () => {
    const id = await send({ to: 'lin@example.org', text: 'Hello' });
    const { page, faults } = await fixture.visit('admin', `/messages/${id}`);
    const suppress = page.getByRole('button', { name: 'Suppress recipient' });
    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
    const reasons = async () =>
      (await fixture.account.asAdmin('get', '/api/suppressions?search=lin@').expect(200)).body.items.map(
        ({ reason }: { reason: string }) => reason,
      );
    await page.clock.install();
    await suppress.click();
    await undo.focus();
    expect(await reasons()).toEqual(['manual']);
    await page.clock.fastForward(60_000);
    await page.keyboard.press('Enter');
    await page.getByText('lin@example.org can receive messages again.').waitFor();
    expect(await reasons()).toEqual([]);
    await undo.waitFor({ state: 'detached' });
    await page.keyboard.down('z');
    await suppress.click();
    await undo.waitFor();
    await page.keyboard.down('z');
    await page.keyboard.up('z');
    expect(await undo.count()).toBe(1);
    await page.keyboard.press('z');
    await waitFor('the suppression to be removed', async () => (await reasons()).length === 0);
    await undo.waitFor({ state: 'detached' });

    await suppress.click();
    await undo.focus();
    await undo.blur();
    await page.clock.fastForward(20_000);
    await undo.waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    expect(await reasons()).toEqual(['manual']);
    await fixture.service.query(`DELETE FROM suppressions WHERE address = 'lin@example.org'`);
    await page.reload();

    await suppress.click();
    await undo.waitFor();
    await fixture.service.query(`UPDATE suppressions SET reason = 'bounced' WHERE address = 'lin@example.org'`);
    await undo.click();
    await page.getByText('The suppression of lin@example.org has changed in the meantime, so it is kept.').waitFor();
    await page.getByRole('link', { name: 'Yes: bounced' }).waitFor();
    expect(await reasons()).toEqual(['bounced']);
    faults.length = 0; // the browser logs the 409
  });

  it('does not offer to take back a suppression that was there before', async () => {
    const id = await send({ to: 'kim@example.org', text: 'Hello' });
    const { page } = await fixture.visit('admin', `/messages/${id}`);
    const suppress = page.getByRole('button', { name: 'Suppress recipient' });
    await suppress.waitFor();
    await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'kim@example.org' }).expect(201);
    await suppress.click();
    await page.getByText('kim@example.org is already suppressed. Nothing has changed.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });
});
