import type { Page } from 'playwright-core';

import { interceptRequests } from './intercept-requests.js';

/** Holds the requests of a method to a URL pattern until `release`. `started` resolves when the first is sent. */
export async function holdRequests(page: Page, method: string, pattern: string | RegExp) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let start: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  await interceptRequests(page, pattern, async (route) => {
    if (route.request().method() === method) {
      start();
      await released;
    }
    await route.continue();
  });
  return { started, release };
}
