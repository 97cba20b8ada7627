import type { Page, Route } from 'playwright-core';

import { waitFor } from './wait-for.js';

const PROBE = '/health/live?intercepted';

/**
 * Handles the requests of an open page to a URL pattern from now on. A busy page sends requests past `page.route` for a
 * while after that has resolved, so this waits until one is intercepted.
 */
export async function interceptRequests(
  page: Page,
  pattern: string | RegExp,
  handler: (route: Route) => Promise<unknown>,
): Promise<void> {
  await page.route(pattern, handler);
  await page.route(`**${PROBE}`, (route) => route.fulfill({ status: 204 }));
  await waitFor('the page to be intercepted', () =>
    page.evaluate<boolean>(`fetch('${PROBE}').then(({ status }) => status === 204)`),
  );
}
