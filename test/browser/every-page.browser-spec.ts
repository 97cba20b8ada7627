import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { NARROW, type Visitor } from '../support/browser.js';
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

  it.each([LARGE, TABLET, NARROW])('is accessible and fits the screen in both color schemes, %o', async (viewport) => {
    const check = async (visitor: Visitor, page: string) => {
      await visitor.settle();
      for (const colorScheme of ['light', 'dark'] as const) {
        await visitor.page.emulateMedia({ colorScheme });
        await visitor.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
        expect({ page, violations: await visitor.violations() }).toEqual({ page, violations: [] });
        await visitor.picture(`${page}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}`);
      }
      expect({ page, overflows: await visitor.overflows() }).toEqual({ page, overflows: false });
      if (viewport === TABLET)
        expect({ page, narrow: await visitor.page.evaluate(NARROW_COLUMNS) }).toEqual({ page, narrow: [] });
    };
    const login = await fixture.arrive({ viewport });
    await login.open('/login');
    await check(login, 'login');

    const visitor = await fixture.visit('admin', '/overview', { viewport });
    for (const [page, address] of Object.entries(PAGES)) {
      await visitor.open(address(content));
      await check(visitor, page);
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
