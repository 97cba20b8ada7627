import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { insertMessages } from '../support/message-rows.js';
import { waitFor } from '../support/wait-for.js';

const LARGE = { width: 1440, height: 900 };
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** The rows of the table that are on the screen as a whole, below the head. */
const VISIBLE_ROWS = `[...document.querySelectorAll('.data-table tbody tr')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= document.querySelector('.data-table thead').getBoundingClientRect().bottom && bottom <= innerHeight;
}).length`;

describe('The list of messages', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const now = Date.now();
    const older = Array.from({ length: 60 }, (_, i) => ({
      recipient: `guest${i}@example.org`,
      subject: 'An order with a long subject that is cut off because a row is one line '.repeat(3),
      createdAt: new Date(now - 40 * DAY_MS - i * MINUTE_MS),
    }));
    const recent = [{ recipient: 'ada@example.org', opens: 3, createdAt: new Date(now - 3.5 * MINUTE_MS) }];
    await insertMessages(fixture.service, fixture.account.id, [...older, ...recent]);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('shows many rows of one line, with the head in view and whole texts in tooltips', async () => {
    const visitor = await fixture.visit('admin', '/messages', { viewport: LARGE });
    const { page } = visitor;
    await visitor.settle();
    expect(await page.evaluate<number>(VISIBLE_ROWS)).toBeGreaterThanOrEqual(18);
    await page.mouse.wheel(0, 600);
    await waitFor('the page to scroll', () => page.evaluate<boolean>('scrollY > 300'));
    const head = await page.getByRole('columnheader', { name: 'Accepted' }).boundingBox();
    expect(Math.round(head!.y)).toBe(0);
    const subject = page.getByRole('row', { name: /guest20@/ }).getByRole('cell', { name: /^An order/ });
    await subject.hover();
    await waitFor(
      'the tooltip',
      async () => (await subject.getAttribute('title'))?.startsWith('An order with') ?? false,
    );
    await subject.click();
    await page.waitForURL('**/messages/c*');
  });

  it('shows how long ago a message was accepted, with the exact local time and UTC', async () => {
    const { page } = await fixture.visit('member', '/messages');
    const time = page.getByRole('row', { name: /ada@example.org/ }).getByText(/^[3-9] min ago$/);
    await time.waitFor();
    expect(await time.getAttribute('title')).toMatch(
      /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d Europe\/Zurich\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
    );
  });

  it('filters by a preset or by days, in one control whose state is in the address', async () => {
    const visitor = await fixture.visit('admin', '/messages', { viewport: LARGE });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Accepted: Any time' }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByText('1 shown, newest first').waitFor();
    expect(new URL(page.url()).search).toBe('?range=last-7-days');
    await page.reload();
    await page.getByRole('button', { name: 'Accepted: Last 7 days' }).click();
    const calendar = page.getByRole('dialog', { name: 'Accepted' });
    await calendar.getByRole('button', { name: 'Previous month' }).waitFor();
    await visitor.settle();
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('date-range');
    await calendar.getByRole('button', { name: 'Previous month' }).click();
    await calendar.getByRole('button', { name: /^10 / }).click();
    await calendar.getByText('Choose the last day.').waitFor();
    await calendar.getByRole('button', { name: /^12 / }).click();
    await page.waitForURL(/\?from=\d{4}-\d\d-10&to=\d{4}-\d\d-12$/);
    await page.getByRole('button', { name: /^Accepted: 10 ?– ?12 / }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Accepted: Last 7 days' }).waitFor();
  });

  it('remembers the columns that the user chose', async () => {
    const { page } = await fixture.visit('admin', '/messages', { viewport: LARGE });
    const column = (name: string) => page.getByRole('columnheader', { name });
    await column('Opens').waitFor();
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByLabel('From', { exact: true }).check();
    await page.getByLabel('Opens').uncheck();
    await page.keyboard.press('Escape');
    await column('From').waitFor();
    await page.reload();
    await column('From').waitFor();
    expect(await column('Opens').count()).toBe(0);
  });

  it('offers the actions of a row to the mouse and the keyboard', async () => {
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'lin@example.org', status: 'failed' }]);
    const { page } = await fixture.visit('admin', '/messages?search=lin@', { viewport: LARGE });
    const row = page.getByRole('row', { name: /lin@example.org/ });
    const resend = row.getByRole('button', { name: 'Resend message to lin@example.org' });
    const opacity = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.row-actions')).opacity`);
    await row.waitFor();
    expect(await opacity()).toBe('0');
    await row.hover();
    expect(await opacity()).toBe('1');
    await page.mouse.move(0, 0);
    await resend.focus();
    expect(await opacity()).toBe('1');
    await resend.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  });

  it.each(['en', 'de'])('has its filters in one line on a large screen, %s', async (language) => {
    const visitor = await fixture.visit('admin', '/overview', { viewport: LARGE });
    const { page } = visitor;
    await page.evaluate(`localStorage.setItem('language', '${language}')`);
    await visitor.open('/messages');
    await visitor.settle();
    const filters = page.locator('.filters');
    expect((await filters.boundingBox())!.height).toBeLessThan(60);
  });

  it('hides the filters behind a button on a small screen, which counts them', async () => {
    const visitor = await fixture.visit(
      'admin',
      '/messages?search=guest&status=sent,failed&from=2026-01-01&to=2026-01-02',
      {
        viewport: NARROW,
      },
    );
    const { page } = visitor;
    const filters = page.getByRole('button', { name: 'Filters (2)' });
    await filters.waitFor();
    expect(await page.getByLabel('Scheduled only').isVisible()).toBe(false);
    await filters.click();
    await page.getByLabel('Scheduled only').click();
    await page.getByRole('button', { name: 'Filters (3)', expanded: true }).waitFor();
    expect(await visitor.overflows()).toBe(false);
    expect(await visitor.violations()).toEqual([]);
    await visitor.picture('filters-390');
    await page.getByRole('button', { name: /^Accepted:/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Previous month' }).waitFor();
    expect(await visitor.overflows()).toBe(false);
    await visitor.picture('date-range-390');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  });

  it('is exported with its filters', async () => {
    const visitor = await fixture.visit('member', '/messages?search=guest5');
    const { page } = visitor;
    await page.getByRole('row', { name: /guest59@/ }).waitFor();
    const { name, content } = await visitor.download(() => page.getByRole('button', { name: 'Export' }).click());
    expect(name).toBe('messages.csv');
    const lines = content.toString().trim().split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(/^id,createdAt,sentAt,/);
    for (const line of lines.slice(1)) expect(line).toMatch(/,guest5\d?@example.org,/);
  });

  it('shows new messages and results by itself, and rests while the tab is hidden', async () => {
    const { service, account } = fixture;
    const { page } = await fixture.visit('member', '/messages?search=live');
    await page.getByText('No matching messages').waitFor();
    const [id] = await insertMessages(service, account.id, [{ recipient: 'live@example.org', status: 'sent' }]);
    const row = page.getByRole('row', { name: /live@example.org/ });
    await row.getByText('Sent').waitFor();
    await service.query(`UPDATE message_logs SET status = 'delivered', opens = 1 WHERE id = $1`, [id]);
    await row.getByText('Delivered').waitFor();

    const polls: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/messages/version')) polls.push(request.url());
    });
    const setVisibility = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.clock.install();
    await setVisibility('hidden');
    await page.clock.runFor(60_000);
    expect(polls).toEqual([]);
    await service.query(`UPDATE message_logs SET status = 'complained' WHERE id = $1`, [id]);
    await setVisibility('visible');
    await row.getByText('Complained').waitFor();
  });
});
