import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DashboardFixture } from '../support/dashboard-fixture.js';

const MAX_SCRIPT_BYTES = 250_000;

describe('The first load', () => {
  let fixture: DashboardFixture;

  beforeAll(async () => {
    fixture = await DashboardFixture.start();
  });
  afterAll(() => fixture.stop());
  afterEach(async () => {
    expect(await fixture.faults()).toEqual([]);
  });

  it('is small', async () => {
    const visitor = await fixture.arrive();
    await visitor.open('/');
    await visitor.page.getByLabel('Email').waitFor();
    const scripts = await visitor.page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(scripts).toBeGreaterThan(10_000);
    expect(scripts).toBeLessThan(MAX_SCRIPT_BYTES);
  });
});
