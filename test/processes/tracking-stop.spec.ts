import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import type { Config } from '../../src/config/config.js';
import { HmacTrackedLinks } from '../../src/modules/tracking/infrastructure/hmac-tracked-links.js';
import { DeliveryFixture } from '../support/delivery-fixture.js';
import { killServiceProcesses, startListening } from '../support/service-process.js';

let fixture: DeliveryFixture;

afterEach(async () => {
  await killServiceProcesses();
  await fixture.stop();
});

describe('An API process on SIGTERM', () => {
  it('records the visits that it has answered before it exits', async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    const { process, url } = await startListening({ ...fixture.variables, ROLE: 'api' });
    const { messageLogId: id } = await fixture.sendOne(url, 'ada@example.org');
    const links = new HmacTrackedLinks({ appSecret: fixture.variables.APP_SECRET, baseUrl: url } as Config);
    const holder = new Client({ connectionString: fixture.variables.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE email_events IN ACCESS EXCLUSIVE MODE');
    for (let i = 0; i < 20; i++) {
      const { status } = await fetch(links.click(id, 'https://shop.example'), { redirect: 'manual' });
      expect(status).toBe(302);
    }
    process.signal('SIGTERM');
    await process.waitFor('new connections to be refused', () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
    await holder.query('COMMIT');
    await holder.end();

    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
    expect(await fixture.column('SELECT type FROM email_events WHERE message_id = $1', [id])).toEqual(
      Array(20).fill('clicked'),
    );
    expect(await fixture.column('SELECT clicks FROM message_logs WHERE id = $1', [id])).toEqual([20]);
  });
});
