import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { NARROW } from '../support/browser.js';
import { type DashboardContent, fillAccount } from '../support/dashboard-content.js';
import { DashboardFixture } from '../support/dashboard-fixture.js';
import { PAGES } from '../support/dashboard-pages.js';
import { untranslated } from '../support/dashboard-texts.js';

jest.setTimeout(180_000);

const LARGE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };

/** The headers of first columns that have less than 12 rem, with the checkbox of the row. */
const NARROW_COLUMNS = `[...document.querySelectorAll('.data-table[data-one-line] th:not(.select-cell)')]
  .filter((head) => head.matches(':first-child, .select-cell + *'))
  .filter((head) => head.getBoundingClientRect().right - head.parentElement.getBoundingClientRect().left < 12 * 16)
  .map((head) => head.innerText)`;

/** `npm run screenshots` writes screenshots to .screenshots/. */
describe('Every page', () => {
  let fixture: DashboardFixture;
  let content: DashboardContent;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    content = await fillAccount(fixture);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it.each([
    ['light', LARGE],
    ['dark', LARGE],
    ['light', TABLET],
    ['dark', TABLET],
    ['light', NARROW],
    ['dark', NARROW],
  ] as const)('is accessible and fits the screen, %s, %o', async (colorScheme, viewport) => {
    const name = (page: string) => `${page}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}`;
    const login = await fixture.arrive({ viewport, colorScheme });
    await login.open('/login');
    await login.settle();
    expect(await login.violations()).toEqual([]);
    await login.picture(name('login'));

    const visitor = await fixture.visit('admin', '/overview', { viewport, colorScheme });
    for (const [page, address] of Object.entries(PAGES)) {
      await visitor.open(address(content));
      await visitor.settle();
      expect({ page, violations: await visitor.violations() }).toEqual({ page, violations: [] });
      expect({ page, overflows: await visitor.overflows() }).toEqual({ page, overflows: false });
      if (viewport === TABLET)
        expect({ page, narrow: await visitor.page.evaluate(NARROW_COLUMNS) }).toEqual({ page, narrow: [] });
      await visitor.picture(name(page));
    }
  });

  it('is in German, without an English word, and fits a phone', async () => {
    const english = untranslated('de');
    english.delete('Delivery'); // the name of the product
    const visitor = await fixture.visit('admin', '/overview', { viewport: NARROW });
    await visitor.page.evaluate("localStorage.setItem('language', 'de')");
    for (const [page, address] of Object.entries(PAGES)) {
      await visitor.open(address(content));
      await visitor.settle();
      const found = (await visitor.words()).filter((word) => english.has(word));
      expect({ page, found }).toEqual({ page, found: [] });
      expect({ page, overflows: await visitor.overflows() }).toEqual({ page, overflows: false });
      await visitor.picture(`${page}-de`);
    }
  });
});
