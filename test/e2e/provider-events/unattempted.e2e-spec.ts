import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { PendingDeliveryRepository } from '../../../src/modules/messages/application/ports/pending-delivery.repository.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../../src/modules/messages/domain/delivery.js';
import { type ReportedStatus, REPORTED_STATUSES } from '../../../src/modules/messages/domain/event-rules.js';
import type { MessageStatus } from '../../../src/modules/messages/domain/message-log.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages } from '../../support/message-rows.js';
import { ProviderEvents } from '../../support/provider-events.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';

const FAULTS = {
  onRetry: (error: Error) => {
    throw error;
  },
  onUncheckedClicks: (error: Error) => {
    throw error;
  },
};

describe('A provider event about a message that was never attempted', () => {
  let events: ProviderEvents;
  let account: TestAccount;
  let posted = 0;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    account = await events.service.createAccount();
    const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  });

  const deliveries = () => events.service.app.get(PendingDeliveryRepository, { strict: false });
  const add = async (status: MessageStatus) => {
    const [id = ''] = await insertMessages(events.service, account.id, [{ status }]);
    return id;
  };
  async function post(messageLogId: string, type: ReportedStatus) {
    posted += 1;
    const data = type === 'bounced' ? { bounceType: 'hard' } : {};
    const event = { id: `e${posted}`, type, messageLogId, occurredAt: events.service.clock.now().toISOString(), data };
    const { body, headers } = SIGN.generic(event);
    expect((await events.postSmtp(account, body, headers)).status).toBe(200);
  }
  async function claim(id: string): Promise<ClaimedMessage> {
    const [message] = await deliveries().claim(account.id, [id]);
    if (!message) throw new Error(`${id} cannot be claimed`);
    return message;
  }
  const record = async (message: ClaimedMessage, outcome: DeliveryOutcome) => {
    expect(await deliveries().record(message, outcome, FAULTS)).toBe(true);
  };
  const nextAttemptAt = () => events.service.clock.now();
  const attempt = async (id: string) => {
    await record(await claim(id), {
      kind: 'retry',
      error: 'no reply',
      nextAttemptAt: nextAttemptAt(),
      outcomeUnknown: true,
    });
  };

  it.each(REPORTED_STATUSES)('does not end it if it is queued and the event says %s', async (type) => {
    const id = await add('queued');
    await post(id, type);
    expect(await events.state(account, id)).toMatchObject({ status: 'queued', events: [{ type }] });
    expect(await claim(id)).toMatchObject({ id, attempt: 1 });
  });

  it('does not end a scheduled one, which leaves at its time', async () => {
    const id = await add('queued');
    await events.service.query(
      `UPDATE pending_deliveries SET scheduled_at = clock_timestamp() - interval '1 second' WHERE message_id = $1`,
      [id],
    );
    await post(id, 'delivered');
    expect(await claim(id)).toMatchObject({ id, attempt: 1 });
  });

  it.each(['failed', 'suppressed', 'canceled'] as const)('leaves a %s one as it is', async (status) => {
    const id = await add(status);
    for (const type of REPORTED_STATUSES) await post(id, type);
    const state = await events.state(account, id);
    expect(state.status).toBe(status);
    expect(state.events.map(({ type }) => type).sort()).toEqual([...REPORTED_STATUSES].sort());
  });

  it('changes the status of one that was attempted before it was canceled', async () => {
    const id = await add('queued');
    await attempt(id);
    await account.asAdmin('post', `/api/messages/${id}/cancel`).expect(200);
    await post(id, 'failed');
    expect(await events.state(account, id)).toMatchObject({ status: 'canceled' });
    await post(id, 'delivered');
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered' });
  });

  it.each([
    ['failed', { kind: 'failed', error: 'Gave up' }],
    ['suppressed', { kind: 'suppressed', error: 'ada@example.org is suppressed' }],
  ] as const)('changes the status of one that ended %s after an attempt', async (status, outcome) => {
    const id = await add('queued');
    await attempt(id);
    await record(await claim(id), outcome);
    expect(await events.state(account, id)).toMatchObject({ status });
    await post(id, 'delivered');
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered' });
  });

  it('ends one whose attempt has no outcome yet, which no worker submits again', async () => {
    const id = await add('queued');
    await attempt(id);
    await post(id, 'delivered');
    expect(await deliveries().claim(account.id, [id])).toEqual([]);
    expect(await events.state(account, id)).toMatchObject({ status: 'delivered' });
  });

  it.each([
    ['released', { kind: 'released' }],
    ['postponed', { kind: 'postponed', error: 'paused', nextAttemptAt: new Date(0) }],
  ] as const)('does not end one that a worker holds and that is %s without an attempt', async (_, outcome) => {
    const id = await add('queued');
    const message = await claim(id);
    await post(id, 'delivered');
    await record(message, outcome);
    expect(await events.state(account, id)).toMatchObject({ status: 'queued' });
    expect(await claim(id)).toMatchObject({ id, attempt: 1 });
  });

  it.each([
    ['suppressed', { kind: 'suppressed', error: 'ada@example.org is suppressed' }],
    ['canceled', { kind: 'canceled' }],
  ] as const)(
    'does not replace the status of one that a worker holds and that is %s instead',
    async (status, outcome) => {
      const id = await add('queued');
      const message = await claim(id);
      await post(id, 'delivered');
      await record(message, outcome);
      expect(await events.state(account, id)).toMatchObject({ status });
      await post(id, 'complained');
      expect(await events.state(account, id)).toMatchObject({ status });
    },
  );
});
