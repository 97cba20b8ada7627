import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import type { TestKey } from '../support/account.js';
import { NARROW, type Visitor } from '../support/browser.js';
import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { insertMessages } from '../support/message-rows.js';
import { inHours, makeDue } from '../support/schedules.js';
import { sendEmail } from '../support/send-email.js';
import { waitFor } from '../support/wait-for.js';

const IS_OPAQUE = `[...document.querySelectorAll('[role=dialog]')].every((dialog) => getComputedStyle(dialog).opacity === '1')`;
const LARGE = { width: 1440, height: 900 };

const LOCAL = { timeZone: 'Europe/Zurich', dateStyle: 'medium', timeStyle: 'short' } as const;

/** Noon UTC so many days ahead: as the API, a field of the browser, and the dashboard write it. */
function inZurich(days: number): { instant: string; local: string; shown: string } {
  const instant = `${inHours(24 * days).slice(0, 10)}T12:00:00.000Z`;
  const shown = new Date(instant).toLocaleString('en-GB', LOCAL);
  return { instant, local: `${instant.slice(0, 10)}T${shown.slice(-5)}`, shown };
}

describe('Scheduled, canceled and resent messages', () => {
  let fixture: DashboardFixture;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    key = await fixture.account.createKey();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => {
    fixture.relay.reset();
  });
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  const schedule = (mail: object = {}) =>
    sendEmail(fixture.service, key.secret, { text: 'Hello', scheduledAt: inHours(40), ...mail });
  const read = async (id: string) =>
    (await fixture.account.asMember('get', `/api/messages/${id}`).expect(200)).body as Record<string, unknown>;
  const statusOf = async (id: string) => (await read(id)).status;
  const isSent = (id: string) => waitFor('the message to be sent', async () => (await statusOf(id)) === 'sent');
  const check = async (visitor: Visitor, picture: string) => {
    const { width } = visitor.page.viewportSize()!;
    await waitFor('dialogs to have faded in', () => visitor.page.evaluate<boolean>(IS_OPAQUE));
    expect(await visitor.violations()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);
    await visitor.picture(`actions-${picture}-${width}`);
  };
  const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  /** The browser logs these responses. */
  const expectFaults = (visitor: Visitor, ...statuses: number[]) => {
    const logged = visitor.faults.splice(0).map((fault) => Number(/status of (\d+)/.exec(fault)?.[1]));
    expect(logged).toEqual(statuses);
  };

  it('lists what waits for its time, with the filter in the address', async () => {
    const { instant, shown } = inZurich(30);
    const id = await schedule({ subject: 'Reminder', scheduledAt: instant });
    await sendEmail(fixture.service, key.secret, { subject: 'At once', text: 'Hello' });
    const { page } = await fixture.visit('member', '/messages');
    await page.getByRole('row', { name: /At once/ }).waitFor();
    await page.getByLabel('Scheduled only').click();
    await page.getByText('1 shown, newest first').waitFor();
    expect(new URL(page.url()).search).toBe('?scheduled=true');
    const row = page.getByRole('row', { name: /Reminder/ });
    const time = row.getByRole('cell').nth(1).getByRole('time');
    expect(await time.getAttribute('title')).toBe(
      `${shown}:00 Europe/Zurich\n${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`,
    );
    expect(await row.getByRole('cell').nth(1).innerText()).toMatch(new RegExp(`^Queued\\s+· ${shown.slice(0, -12)}`));

    await page.reload();
    await row.getByRole('link').click();
    await page.getByText(`Queued for ${shown}`).waitFor();
    await page.getByText('Scheduled for', { exact: true }).waitFor();
    await page.getByText(`${shown}:00`).first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('checkbox', { name: 'Scheduled only', checked: false }).waitFor();
    await fixture.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
    await page
      .getByRole('row', { name: /Reminder/ })
      .getByText('Canceled')
      .waitFor();
  });

  it('cancels a message and resends it', async () => {
    const id = await schedule({ subject: 'Take back' });
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    await press(page, 'Cancel message');
    await check(visitor, 'cancel');
    await confirm(page, 'Keep message');
    await press(page, 'Cancel message');
    await confirm(page, 'Cancel message');
    await page.getByText('The message has been canceled.').waitFor();
    const header = page.getByRole('main').locator('header');
    await header.getByText('Canceled').waitFor();
    expect(await header.getByRole('button').allInnerTexts()).toEqual(['Resend']);
    expect(await statusOf(id)).toBe('canceled');

    for (let times = 0; times < 2; times++) {
      await page.goto(`${new URL(page.url()).origin}/messages/${id}`);
      await press(page, 'Resend');
      await confirm(page, 'Resend');
      await page.getByText('View original message').waitFor();
    }
    const resent = new URL(page.url()).pathname.split('/').at(-1)!;
    expect(await read(resent)).toMatchObject({ resentFrom: id, subject: 'Take back' });
    await isSent(resent);
    expect(fixture.relay.received()).toHaveLength(1);
    await check(visitor, 'resent');
    await page.getByText('View original message').click();
    await header.getByText('Canceled').waitFor();
  });

  it('leaves no question for the next user', async () => {
    const id = await schedule();
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    await press(page, 'Cancel message');
    await page.getByRole('dialog', { name: 'Cancel this message?' }).waitFor();
    const refresh = `**/api/messages/${id}`;
    await interceptRequests(page, refresh, (route) =>
      route.fulfill({ status: 401, json: { message: 'Session expired', error: 'Unauthorized', statusCode: 401 } }),
    );
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Sign out' }).click();
    await page.unroute(refresh);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.logIn({ email: 'admin@example.com', password: PASSWORD });
    await page.getByRole('main').getByRole('button', { name: 'Cancel message' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expectFaults(visitor, 401);
  });

  it('says why a message cannot be canceled or resent', async () => {
    const id = await schedule();
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    await press(page, 'Cancel message');
    await makeDue(fixture.service, [id]);
    await isSent(id);
    await confirm(page, 'Cancel message');
    await page.getByText('Message is sent', { exact: true }).waitFor();
    const actions = page.getByRole('main').locator('header').getByRole('button');
    await waitFor('the buttons to go', async () => (await actions.count()) === 0);

    const [purged] = await insertMessages(fixture.service, fixture.account.id, [{ status: 'failed' }]);
    await page.goto(`${new URL(page.url()).origin}/messages/${purged!}`);
    await press(page, 'Resend');
    await confirm(page, 'Resend');
    await page.getByText('The content of the message is no longer kept').waitFor();
    expectFaults(visitor, 409, 409);
  });

  it('moves a message to another time of the local time zone', async () => {
    const id = await schedule();
    const visitor = await fixture.visit('admin', `/messages/${id}`);
    const { page } = visitor;
    await press(page, 'Reschedule');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In your time zone, Europe/Zurich.').waitFor();
    const field = dialog.getByLabel('Date and time');
    const inDays = (days: number) => `${inHours(24 * days).slice(0, 10)}T08:15`;
    for (const [days, fault] of [
      [-1, 'Choose a time in the future.'],
      [92, 'Choose a time at most 90 days ahead.'],
    ] as const) {
      await field.fill(inDays(days));
      await dialog.getByRole('button', { name: 'Reschedule' }).click();
      await dialog.getByText(fault).waitFor();
    }
    await check(visitor, 'reschedule');
    const { local, instant, shown } = inZurich(30);
    await field.fill(local);
    await page.keyboard.press('Enter');
    await page.getByText(`The message will be sent on ${shown}.`).waitFor();
    expect((await read(id)).scheduledAt).toBe(instant);

    await press(page, 'Reschedule');
    expect(await field.inputValue()).toBe(local);
    await makeDue(fixture.service, [id]);
    await isSent(id);
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByText('Message is sent', { exact: true }).waitFor();
    expectFaults(visitor, 409);
  });

  it.each([
    ['light', LARGE],
    ['dark', LARGE],
    ['light', NARROW],
    ['dark', NARROW],
  ] as const)('cancels several at once, %s, %o', async (colorScheme, viewport) => {
    const subject = `Batch ${colorScheme} ${viewport.width}`;
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await schedule({ subject: `${subject} no. ${n}` }));
    const sent = await sendEmail(fixture.service, key.secret, { subject: `${subject} sent`, text: 'Hello' });
    await isSent(sent);
    const address = `/messages?search=${encodeURIComponent(subject)}`;
    const visitor = await fixture.visit('admin', address, { viewport, colorScheme });
    const { page } = visitor;
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await page.getByText('4 shown, newest first').waitFor();
    expect(await box(`Select ${subject} sent to ada@example.org`).isDisabled()).toBe(true);
    const first = box(`Select ${subject} no. 1 to ada@example.org`);
    await first.focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await box('Select all').check();
    await page.getByText('3 selected').waitFor();
    await check(visitor, `selected-${colorScheme}`);

    await makeDue(fixture.service, [ids[0]!]);
    await isSent(ids[0]!);
    await press(page, 'Cancel 3 messages');
    await confirm(page, 'Cancel messages');
    await page.getByRole('heading', { name: '2 messages canceled, 1 not' }).waitFor();
    const failure = page.getByRole('dialog').getByRole('row').last();
    expect(await failure.getByRole('cell').allInnerTexts()).toEqual([
      'ada@example.org',
      `${subject} no. 1`,
      'Message is sent',
    ]);
    await check(visitor, `not-canceled-${colorScheme}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['sent', 'canceled', 'canceled']);
    await page.getByText('Canceled', { exact: true }).nth(1).waitFor();
    expect(await page.getByRole('group', { name: 'Selected messages' }).count()).toBe(0);
  });

  it('resends several at once, as far as they can be', async () => {
    const subject = 'Again';
    const to = ['ada@example.org', 'grace@example.org', 'lin@example.org'];
    for (const address of to) {
      const id = await schedule({ to: address, subject });
      await fixture.account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
    }
    await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'grace@example.org' }).expect(201);
    const visitor = await fixture.visit('admin', `/messages?search=${subject}&status=canceled`);
    const { page } = visitor;
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await press(page, 'Resend 3 messages');
    await confirm(page, 'Resend');
    await page.getByRole('heading', { name: '2 messages resent, 1 not' }).waitFor();
    await page.getByRole('dialog').getByText('grace@example.org is suppressed').waitFor();
    await waitFor('both mails', () => fixture.relay.received().length === 2);
    await page.getByRole('dialog').getByRole('link', { name: 'grace@example.org' }).click();
    await page.getByRole('main').locator('header').getByText('Canceled').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expectFaults(visitor, 400);
  });

  it('clears the selection when a filter changes, and keeps it on further pages', async () => {
    const rows = Array.from({ length: 51 }, (_, i) => ({ status: 'failed' as const, subject: `Page ${i}` }));
    await insertMessages(fixture.service, fixture.account.id, rows);
    const { page } = await fixture.visit('admin', '/messages?search=Page');
    const all = page.getByRole('checkbox', { name: 'Select all' });
    await all.check();
    await page.getByText('50 selected').waitFor();
    await press(page, 'Older');
    await page.getByText('1 shown, newest first').waitFor();
    await page.locator('table[aria-busy=false]').waitFor(); // rows are rendered after their number
    expect(await all.isChecked()).toBe(false);
    await all.check();
    await page.getByText('51 selected').waitFor();
    await page.getByRole('searchbox').fill('Page 1');
    await page.getByText('11 shown, newest first').waitFor();
    await page.getByText(/selected/).waitFor({ state: 'hidden' });
  });
});
