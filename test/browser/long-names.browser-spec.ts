import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';

const LONG = { local: 'l'.repeat(64), domain: `${'d'.repeat(60)}.${'e'.repeat(60)}.example.org` };
const ADDRESS = `${LONG.local}@${LONG.domain}`;

/** The last button in a row of each list. */
const LISTS = {
  '/api-keys': 'Revoke',
  '/suppressions': 'Remove',
  '/domains': 'Remove',
  '/lists': 'Delete',
  '/topics': 'Delete',
  '/users': 'Remove',
};

describe('Names without a space', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
    const post = (path: string, body: object) => fixture.account.asAdmin('post', path).send(body).expect(201);
    await post('/api/api-keys', { name: 'K'.repeat(100), scopes: ['send'] });
    await post('/api/suppressions', { email: ADDRESS, note: 'n'.repeat(300) });
    await post('/api/senders', { email: `s${ADDRESS.slice(1)}` });
    await post('/api/lists', { name: 'L'.repeat(100) });
    await post('/api/topics', { name: 'O'.repeat(100), description: 'D'.repeat(500) });
    await post('/api/templates', { name: 'T'.repeat(100), subject: 'S'.repeat(300), text: 'Hello' });
    await post('/api/users', { email: ADDRESS, password: 'a password of eight or more', role: 'member' });
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it.each([1280, 1024, 800, 390])('do not overflow a list on a screen of %i', async (width) => {
    const visitor = await fixture.visit('admin', '/overview', { viewport: { width, height: 800 } });
    const { page } = visitor;
    for (const [address, action] of Object.entries({ ...LISTS, '/templates': null })) {
      await visitor.open(address);
      await visitor.settle();
      // Text may be cut off, which its tooltip completes; buttons may not.
      const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.data-table :is(th, td)')]
        .filter((cell) => (cell.querySelector('button') && cell.scrollWidth > cell.clientWidth + 1) ||
          cell.getBoundingClientRect().right > cell.closest('.panel').getBoundingClientRect().right)
        .map((cell) => cell.textContent)`);
      expect({ address, cut }).toEqual({ address, cut: [] });
      if (action === null) continue;
      await page
        .getByRole('row')
        .getByRole('button', { name: new RegExp(`^${action}`) })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    }
  });
});
