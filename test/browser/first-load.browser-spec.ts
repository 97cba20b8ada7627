import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';
import { waitFor } from '../support/wait-for.js';

const MAX_SCRIPT_BYTES = 250_000;
const MAX_FIRST_PAINT_MS = 1_000;

describe('The first load', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('is small and paints soon', async () => {
    const paints: number[] = [];
    for (let load = 0; load < 3; load++) {
      const visitor = await fixture.arrive();
      await visitor.open('/');
      await visitor.page.getByLabel('Email').waitFor();
      const paintedAt = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
      paints.push(await waitFor('the paint', () => visitor.page.evaluate<number | undefined>(paintedAt)));
      const scripts = await visitor.page.evaluate<number>(`performance.getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
      expect(scripts).toBeGreaterThan(10_000);
      expect(scripts).toBeLessThan(MAX_SCRIPT_BYTES);
    }
    expect(Math.min(...paints)).toBeLessThan(MAX_FIRST_PAINT_MS);
  });
});
