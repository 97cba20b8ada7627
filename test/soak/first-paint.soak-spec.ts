import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

const PAINTED_AT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
/** As a multiple of the time to the first paint of a line of text. */
const MAX_FIRST_PAINT = 12;

describe('The first load of the dashboard', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());

  /** In milliseconds, the best of three. */
  async function firstPaintOf(path: string): Promise<number> {
    const paints: number[] = [];
    for (let load = 0; load < 3; load++) {
      const visitor = await fixture.arrive();
      await visitor.open(path);
      paints.push(await waitFor('the paint', () => visitor.page.evaluate<number | undefined>(PAINTED_AT)));
      await visitor.leave();
    }
    return Math.min(...paints);
  }

  it('paints soon', async () => {
    const reference = await firstPaintOf('/health/live');
    expect((await firstPaintOf('/')) / reference).toBeLessThan(MAX_FIRST_PAINT);
  });
});
