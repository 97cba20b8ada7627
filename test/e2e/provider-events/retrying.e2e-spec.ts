import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const KEY = 'a key that proves the events of a relay';

describe('An event about a message that waits for a retry', () => {
  let service: TestService;
  let relay: SmtpSink;
  let account: TestAccount;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    const smtp = { host: '127.0.0.1', port: relay.port, eventSigningKey: KEY };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });

  const post = (body: string) => {
    const t = Math.floor(service.clock.now().getTime() / 1_000);
    return service
      .request('post', `/api/provider-events/smtp/${account.id}`)
      .set('Content-Type', 'application/json')
      .set('X-Signature', `t=${t},v1=${createHmac('sha256', KEY).update(`${t}.${body}`).digest('hex')}`)
      .send(body);
  };

  const delivered = (messageLogId: string) =>
    post(JSON.stringify({ id: messageLogId, type: 'delivered', messageLogId, occurredAt: service.clock.now() }));
  const waiting = (condition: string) => service.query(`SELECT FROM pending_deliveries WHERE ${condition}`);
  const send = async () => sendEmail(service, (await account.createKey()).secret, { text: 'Hello' });
  const read = async (id: string) => (await account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const isNotSentAgain = async () => {
    relay.answer = () => undefined;
    const received = relay.received().length;
    service.clock.advance({ minutes: 2 });
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
    expect(relay.received()).toHaveLength(received);
  };

  it('proves that the message was sent: it waits no longer, and is not sent again', async () => {
    relay.answer = (stage) => (stage === 'data' ? 'drop' : undefined);
    const id = await send();
    await waitFor('the lost answer', async () => (await waiting('attempts = 1 AND claim_id IS NULL')).length === 1);
    await delivered(id).expect(200);
    expect(await waiting('true')).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'delivered', error: null });
    await isNotSentAgain();
  });

  it('proves it also if it comes during the attempt', async () => {
    relay.answer = async (stage) => {
      if (stage !== 'data') return undefined;
      const [{ id } = { id: '' }] = await service.query<{ id: string }>(
        'SELECT message_id AS id FROM pending_deliveries',
      );
      await delivered(id).expect(200);
      return 'drop';
    };
    const id = await send();
    await waitFor('the end of its delivery', async () => (await waiting('true')).length === 0);
    expect(await read(id)).toMatchObject({ status: 'delivered', error: null });
    await isNotSentAgain();
  });

  it('is accepted with deeply nested unknown fields', async () => {
    const depth = 20_000;
    const body = `{"id":"e2","type":"weird","messageLogId":"c000000000000000000000000","occurredAt":"${service.clock.now().toISOString()}","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    await post(body).expect(200);
  });
});
