import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { DashboardFixture, SENDER } from '../support/dashboard-fixture.js';
import { holdRequests } from '../support/hold-requests.js';
import { interceptRequests } from '../support/intercept-requests.js';
import { insertMessages } from '../support/message-rows.js';
import { inHours } from '../support/schedules.js';
import { waitFor } from '../support/wait-for.js';

describe('A list', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const contacts = Array.from({ length: 26 }, (_, i) => ({ email: `guest${i}@example.com` }));
    await fixture.account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    // The browser logs every error response.
    expect((await fixture.faults()).filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
  });

  it('offers a way out of a page or a cursor that does not exist', async () => {
    const visitor = await fixture.visit('admin', '/contacts?page=9');
    const { page } = visitor;
    await page.getByText('This page does not exist').waitFor();
    await page.getByRole('button', { name: 'Go to the last page' }).click();
    await page.waitForURL('**/contacts?page=2');
    await page.getByRole('row', { name: /guest/ }).waitFor();

    await visitor.open('/messages?cursor=nowhere');
    await page.getByRole('button', { name: 'Go to the newest' }).click();
    await page.getByText('No messages yet').waitFor();
  });

  it('shows that it is filtered by a list that has been deleted', async () => {
    const { body } = await fixture.account.asAdmin('post', '/api/lists').send({ name: 'Gone' }).expect(201);
    await fixture.account.asAdmin('delete', `/api/lists/${body.id}`).expect(200);
    const { page } = await fixture.visit('admin', `/contacts?listId=${body.id}`);
    const list = page.getByLabel('List', { exact: true }).and(page.locator('input'));
    await waitFor('the name of the list', async () => (await list.inputValue()) === 'Deleted list');
  });

  it('marks stale rows, and says why it could not refresh', async () => {
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'ada@example.org' }]);
    const { page } = await fixture.visit('admin', '/messages');
    await page.getByText('1 shown, newest first').waitFor();
    let answer: (() => void) | undefined;
    await interceptRequests(page, '**/api/messages?**status=failed**', async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.locator('table[aria-busy=true]').waitFor();
    answer!();
    await page.getByText('No matching messages').waitFor();

    await page.unrouteAll();
    await page.keyboard.press('Escape'); // closes the options
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('1 shown, newest first').waitFor();
    await page.route('**/api/messages?**', (route) =>
      route.fulfill({
        status: 429,
        json: { message: 'Too much at once', error: 'Too Many Requests', statusCode: 429 },
      }),
    );
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'grace@example.org' }]);
    await page.getByText('Could not refresh: Too much at once').waitFor();
    await page.getByRole('row', { name: /ada@example.org/ }).waitFor();
    await page.unrouteAll();
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'lin@example.org' }]);
    await page.getByText('3 shown, newest first').waitFor();
  });

  it.each([
    ['contacts', 'No matching contacts', 'No contacts yet'],
    ['messages', 'No matching messages', 'No messages yet'],
  ])('of %s says that it is loading when nothing was found before', async (list, noMatches, none) => {
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'mary@example.org' }]);
    const { page } = await fixture.visit('admin', `/${list}?search=nobody`);
    await page.getByText(noMatches).waitFor();
    const unfiltered = new RegExp(`/api/${list}\\?(?!.*search=)`);
    const held = await holdRequests(page, 'GET', unfiltered);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await held.started;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByText(none).count()).toBe(0);
    held.release();
    await page.getByRole('row').nth(1).waitFor();
  });

  it('keeps the parts of a cell together on a phone', async () => {
    const post = async (path: string, body: object) =>
      (await fixture.account.asAdmin('post', path).send(body).expect(201)).body.id;
    const listId = await post('/api/lists', { name: 'Newsletter' });
    await post('/api/contacts', { email: 'reader@example.org', listIds: [listId] });
    const content = { subject: 'News', text: 'News. To unsubscribe: {{unsubscribeUrl}}' };
    const plan = { fromEmail: SENDER, ...content, audience: { listIds: [listId] }, scheduledAt: inHours(48) };
    const id = await post('/api/campaigns', { name: 'Announced', ...plan });
    await fixture.account.asAdmin('post', `/api/campaigns/${id}/start`).expect(200);
    const { page } = await fixture.visit('admin', '/campaigns', { viewport: NARROW });
    await page
      .locator('td')
      .filter({ hasText: /^Due in/ })
      .waitFor();
    const gap = await page.evaluate<number>(`(() => {
      const time = document.querySelector('td time');
      const before = document.createRange();
      before.selectNode(time.previousSibling);
      return time.getBoundingClientRect().left - before.getBoundingClientRect().right;
    })()`);
    expect(gap).toBeLessThan(8);
  });

  it('keeps what is typed in its search while the list of the letters before is being shown', async () => {
    const { page } = await fixture.visit('admin', '/contacts');
    await page.getByRole('row').nth(1).waitFor();
    const search = page.getByRole('searchbox');
    // A key that is pressed between the change of the address and the next rendering, with the next pause far away.
    await page.evaluate(`{
      const { replaceState } = history;
      history.replaceState = function (...args) {
        replaceState.apply(this, args);
        history.replaceState = replaceState;
        window.setTimeout = () => 0;
        document.execCommand('insertText', false, 't');
      };
    }`);
    await search.pressSequentially('gues');
    await page.waitForURL('**/contacts?search=gues');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await search.inputValue()).toBe('guest');
  });

  it('filters by days in the local time zone', async () => {
    const evening = new Date('2026-01-10T23:30:00Z'); // 11 January in Zurich
    await insertMessages(fixture.service, fixture.account.id, [{ recipient: 'late@example.org', createdAt: evening }]);
    const visitor = await fixture.visit('admin', '/messages?from=2026-01-11&to=2026-01-11');
    await visitor.page.getByRole('row', { name: /late@example.org/ }).waitFor();
    await visitor.page.getByRole('button', { name: 'Accepted: 11 Jan 2026' }).waitFor();
    await visitor.open('/messages?from=2026-01-10&to=2026-01-10');
    await visitor.page.getByText('No matching messages').waitFor();
  });
});
