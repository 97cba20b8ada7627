import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { duplicatesOf } from '../support/delivery-fixture.js';
import { killServiceProcesses } from '../support/service-process.js';
import { waitFor } from '../support/wait-for.js';
import { WebhookProcesses } from '../support/webhook-processes.js';

const EVENTS = 400;
const ANSWERED = 40;
const UNDER_WAY = 10;

describe('A worker that is halted for longer than its webhook leases last', () => {
  let fixture: WebhookProcesses;

  beforeAll(async () => {
    fixture = await WebhookProcesses.start('PostgreSQL');
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });

  const emailOf = ({ body }: { body: string }) => (JSON.parse(body) as { data: { email: string } }).data.email;
  const posted = async () => (await fixture.receiver.received('/slow')).map(emailOf);
  const claimed = () => fixture.query('SELECT FROM webhook_deliveries WHERE claim_id IS NOT NULL');
  const allDelivered = async () => (await fixture.states()).delivered === EVENTS;

  it('starts no post afterwards that it had not begun before', async () => {
    await fixture.addEndpoint('/slow');
    const answered = Array.from({ length: ANSWERED }, () => 200);
    await fixture.receiver.answer('/slow', ...answered, { status: 200, isHeld: true });
    const halted = fixture.startWorker();
    const emails = await fixture.suppress(EVENTS);
    await halted.waitFor('posts under way', async () => (await posted()).length >= ANSWERED + UNDER_WAY);
    halted.signal('SIGSTOP');
    const held = await claimed();
    // On a busy machine, the receiver has not read all yet that was posted before.
    let begun: string[] = [];
    const hasReadAll = async () => {
      const seen = begun.length;
      begun = await posted();
      return begun.length === seen;
    };
    await waitFor('the receiver to have read all posts', hasReadAll);
    expect(held.length).toBeGreaterThan(0);

    await fixture.receiver.release('/slow');
    const worker = fixture.startWorker();
    await worker.waitFor('all outcomes', allDelivered);
    halted.signal('SIGCONT');
    // Once it works again, it has gone through all deliveries that it had claimed.
    const before = (await posted()).length;
    await worker.kill('SIGTERM');
    const [last] = await fixture.suppress(1);
    await halted.waitFor('the halted worker to go on', async () => (await posted()).includes(last!));
    expect(await halted.kill('SIGTERM')).toEqual({ code: 0, signal: null });

    const all = await posted();
    expect(all).toHaveLength(before + 1);
    expect(duplicatesOf(all).filter((email) => !begun.includes(email))).toEqual([]);
    expect(new Set(all)).toEqual(new Set([...emails, last]));
  });
});
