import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';

const BYTES = randomBytes(2_000_000);

describe('A process killed with SIGKILL right after it accepted a message with copies and an attachment', () => {
  let fixture: DeliveryFixture;

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });

  it('has stored all of it, and another one delivers it', async () => {
    const { url, process } = await startListening({ ...fixture.variables, ROLE: 'api' });
    const { messageLogId, copies } = await fixture.sendMail(url, {
      to: 'ada@example.org',
      cc: ['books@example.org'],
      bcc: ['boss@example.org'],
      attachments: [{ filename: 'a.bin', content: BYTES.toString('base64') }],
    });
    await process.kill('SIGKILL');
    await fixture.column('UPDATE pending_deliveries SET sweep_at = now()'); // its jobs may be lost
    const worker = ServiceProcess.spawn({ ...fixture.variables, ROLE: 'worker' });
    await worker.waitFor('three mails', () => fixture.relay.received().length >= 3);
    expect(fixture.arrivals().sort()).toEqual([messageLogId, ...copies.map((copy) => copy.messageLogId)].sort());
    for (const { parsed } of fixture.relay.received())
      expect(parsed.attachments.map(({ content }) => content.equals(BYTES))).toEqual([true]);
  });
});
