import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { chunk } from '../../src/shared/collections.js';
import { NARROW, type Visitor } from '../support/browser.js';
import { type DashboardContent, fillAccount } from '../support/dashboard-content.js';
import { DashboardFixture, PASSWORD } from '../support/dashboard-fixture.js';
import { EMPTY_PAGES, PAGES } from '../support/dashboard-pages.js';
import { untranslated } from '../support/dashboard-texts.js';

const LARGE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };

/** So few that a test of them ends in time on a busy machine, under their names. */
const groups = <Address>(pages: Readonly<Record<string, Address>>) =>
  chunk(Object.entries(pages), 7).map((group) => [group.map(([page]) => page).join(', '), group] as const);
const [GROUPS, EMPTY_GROUPS] = [groups(PAGES), groups(EMPTY_PAGES)];

/** The admin of an account that has nothing yet. */
const NEWCOMER = { email: 'newcomer@example.com', password: PASSWORD };

/** The headers of first columns that have less than 12 rem, with the checkbox of the row. */
const NARROW_COLUMNS = `[...document.querySelectorAll('.data-table[data-one-line] th:not(.select-cell)')]
  .filter((head) => head.matches(':first-child, .select-cell + *'))
  .filter((head) => head.getBoundingClientRect().right - head.parentElement.getBoundingClientRect().left < 12 * 16)
  .map((head) => head.innerText)`;

/** What should take one line and takes more: ids, and the tabs of a panel. */
const WRAPPED = `[...document.querySelectorAll('.id .mono, [role=tablist]')]
  .filter((element) => element.matches('[role=tablist]') || element.innerText.length <= 25)
  .filter((element) => element.getBoundingClientRect().height > (element.matches('[role=tablist]') ? 48 : 24))
  .map((element) => element.innerText)`;

/** `npm run screenshots` writes screenshots to .screenshots/. */
describe('Every page', () => {
  let fixture: DashboardFixture;
  let content: DashboardContent;

  beforeAll(async () => {
    fixture = await DashboardFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    content = await fillAccount(fixture);
    const empty = await fixture.service.createAccount({ name: 'Southwind' });
    await empty
      .asAdmin('post', '/api/users')
      .send({ ...NEWCOMER, role: 'admin' })
      .expect(201);
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  /** Looks at the page in both color schemes. */
  const check = async (visitor: Visitor, page: string) => {
    await visitor.settle();
    const { width } = visitor.page.viewportSize()!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
      const violations = await visitor.violations({ colorsOnly: colorScheme === 'dark' });
      expect({ page, violations }).toEqual({ page, violations: [] });
      await visitor.picture(`${page}-${width}${colorScheme === 'dark' ? '-dark' : ''}`);
    }
    await expectToFit(visitor, page);
    if (width === TABLET.width)
      expect({ page, narrow: await visitor.page.evaluate(NARROW_COLUMNS) }).toEqual({ page, narrow: [] });
  };
  const expectToFit = async (visitor: Visitor, page: string) => {
    expect({ page, overflows: await visitor.overflows() }).toEqual({ page, overflows: false });
    expect({ page, wrapped: await visitor.page.evaluate(WRAPPED) }).toEqual({ page, wrapped: [] });
  };
  const visitEmpty = async (viewport: { width: number; height: number }) => {
    const visitor = await fixture.arrive({ viewport });
    await visitor.open('/overview');
    await visitor.logIn(NEWCOMER);
    return visitor;
  };

  describe.each([LARGE, TABLET, NARROW])('is accessible and fits the screen in both color schemes, %o', (viewport) => {
    it('before the sign-in', async () => {
      const visitor = await fixture.arrive({ viewport });
      await visitor.open('/login');
      await check(visitor, 'login');
    });

    it.each(GROUPS)('%s', async (_, pages) => {
      const visitor = await fixture.visit('admin', '/overview', { viewport });
      for (const [page, address] of pages) {
        await visitor.open(address(content));
        await check(visitor, page);
      }
    });

    it.each(EMPTY_GROUPS)('%s', async (_, pages) => {
      const visitor = await visitEmpty(viewport);
      for (const [page, address] of pages) {
        await visitor.open(address);
        await check(visitor, page);
      }
    });
  });

  describe('is in German, without an English word, and fits a phone', () => {
    const english = untranslated('de');
    english.delete('Delivery'); // the name of the product
    const checkGerman = async (visitor: Visitor, page: string) => {
      await visitor.settle();
      const found = (await visitor.words()).filter((word) => english.has(word));
      expect({ page, found }).toEqual({ page, found: [] });
      await expectToFit(visitor, page);
      await visitor.picture(`${page}-de`);
    };
    const speakGerman = (visitor: Visitor) => visitor.page.evaluate("localStorage.setItem('language', 'de')");

    it.each(GROUPS)('%s', async (_, pages) => {
      const visitor = await fixture.visit('admin', '/overview', { viewport: NARROW });
      await speakGerman(visitor);
      for (const [page, address] of pages) {
        await visitor.open(address(content));
        await checkGerman(visitor, page);
      }
    });

    it.each(EMPTY_GROUPS)('%s', async (_, pages) => {
      const visitor = await visitEmpty(NARROW);
      await speakGerman(visitor);
      for (const [page, address] of pages) {
        await visitor.open(address);
        await checkGerman(visitor, page);
      }
    });
  });
});
