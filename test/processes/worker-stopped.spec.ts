import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeliveryFixture, duplicatesOf } from '../support/delivery-fixture.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';

const MESSAGES = 200;
const STOPPED_AFTER = 20;
const ANSWER_AFTER_MS = 300;

describe('A worker that SIGSTOP halts for longer than its leases, while another one takes over', () => {
  let fixture: DeliveryFixture;
  let begun: string[];

  beforeAll(async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    begun = [];
    fixture.relay.answer = (stage, _session, address) => {
      if (stage === 'rcpt') begun.push(address);
      return stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined;
    };
  });
  afterAll(async () => {
    await killServiceProcesses();
    await fixture.stop();
  });

  const startWorker = () => ServiceProcess.spawn({ ...fixture.variables, ROLE: 'worker', LOG_LEVEL: 'info' });
  const reported = (worker: ServiceProcess, id: string) =>
    worker.printed.split('\n').some((line) => line.includes('"event":"delivery"') && line.includes(id));

  it('sends nothing afterwards whose SMTP transaction had not started before', async () => {
    const url = await fixture.startApi();
    const accepted = await fixture.send(url, MESSAGES);

    const halted = startWorker();
    await halted.waitFor(`${STOPPED_AFTER} mails`, () => fixture.arrivals().length >= STOPPED_AFTER);
    halted.signal('SIGSTOP');
    const claimedIds = await fixture.inFlight();
    const begunBefore = new Set(begun);
    expect(claimedIds.length).toBeGreaterThan(begunBefore.size);

    const worker = startWorker();
    const isDone = async () => (await fixture.pending()).length === 0;
    await worker.waitFor('all outcomes', isDone);
    halted.signal('SIGCONT');
    await halted.waitFor('it to release its messages', () => claimedIds.every((id) => reported(halted, id)));

    const repeated = duplicatesOf(fixture.arrivals());
    const recipientOf = (id: string) => `r${accepted.indexOf(id)}@example.org`;
    expect(repeated.filter((id) => !begunBefore.has(recipientOf(id)))).toEqual([]);
    expect(new Set(fixture.arrivals())).toEqual(new Set(accepted));
    expect((await fixture.withStatus('sent')).sort()).toEqual(accepted.sort());
  });
});
