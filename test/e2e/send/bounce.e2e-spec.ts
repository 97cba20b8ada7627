import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpStage } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

describe('A hard bounce in the reply of the relay', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let shop: SendingAccount;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    shop = await fixture.open();
    ({ account } = shop);
  });

  const refuse = (stage: SmtpStage, code: number, message: string) => {
    fixture.relay.answer = (at) => (at === stage ? { code, message } : undefined);
  };
  const attempt = () => shop.attempt({ text: 'Thank you' });
  const suppressions = async () =>
    (await account.asAdmin('get', '/api/suppressions').expect(200)).body.items as object[];
  const outbox = () =>
    service.query<{ type: string; data: object }>('SELECT type, data FROM outbox_events WHERE account_id = $1', [
      account.id,
    ]);

  it('sets status and timeline, suppresses the address and the contact, and notifies webhooks', async () => {
    const contact = { email: 'Ada@example.org', firstName: 'Ada', lastName: 'L' };
    const { body: ada } = await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    refuse('rcpt', 550, '5.1.1 no such user');
    const message = await attempt();
    const smtpResponse = expect.stringContaining('550 5.1.1 no such user');
    expect(message).toMatchObject({
      status: 'bounced',
      error: smtpResponse,
      events: [{ type: 'bounced', data: { attempt: 1, bounceType: 'hard', smtpResponse } }],
    });
    expect(await suppressions()).toMatchObject([
      {
        address: 'ada@example.org',
        reason: 'bounced',
        source: 'provider',
        messageLogId: message.id,
        contactId: ada.id,
      },
    ]);
    expect((await account.asAdmin('get', `/api/contacts/${ada.id}`).expect(200)).body.status).toBe('bounced');
    expect(await outbox()).toMatchObject([
      {
        type: 'contact.bounced',
        data: {
          email: 'ada@example.org',
          messageLogId: message.id,
          bounceType: 'hard',
          diagnosticCode: smtpResponse,
          contactId: ada.id,
          firstName: 'Ada',
          lastName: 'L',
        },
      },
    ]);
    expect(await service.query('SELECT * FROM pending_deliveries')).toEqual([]);
    await shop.post({ text: 'Again' }).expect(400, errorBody(400, 'ada@example.org is suppressed'));
  });

  it('shows the address as the message has it', async () => {
    refuse('rcpt', 550, '5.1.1 no such user');
    const to = 'Ada.L@BÜCHER.example';
    expect(await shop.attempt({ to, text: 'Thank you' })).toMatchObject({ status: 'bounced' });
    expect(await suppressions()).toMatchObject([{ address: to, reason: 'bounced' }]);
    expect(await outbox()).toMatchObject([{ data: { email: 'ada.l@xn--bcher-kva.example' } }]);
  });

  it.each([
    ['rcpt', 550, 'No such user'],
    ['rcpt', 550, '5.7.1 relaying denied'],
    ['rcpt', 552, '5.2.2 mailbox full'],
    ['mail', 550, '5.1.1 no such sender'],
    ['data', 550, '5.1.1 no such user'],
  ] as const)(
    'is not assumed when %s is answered with %i %s: the message fails, and nobody is suppressed',
    async (stage, code, text) => {
      refuse(stage, code, text);
      expect(await attempt()).toMatchObject({ status: 'failed', events: [{ type: 'failed' }] });
      expect(await suppressions()).toEqual([]);
      expect(await outbox()).toEqual([]);
    },
  );

  it('is not recorded partially: if the suppression fails, the message is retried', async () => {
    const fails = `CREATE FUNCTION refuse_suppression() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM nextval('refusals'); RAISE EXCEPTION 'refused'; END $$`;
    await service.query('CREATE SEQUENCE refusals');
    await service.query(fails);
    await service.query(
      'CREATE TRIGGER refuse_suppression BEFORE INSERT ON suppressions FOR EACH ROW EXECUTE FUNCTION refuse_suppression()',
    );
    refuse('rcpt', 550, '5.1.1 no such user');
    try {
      expect(await attempt()).toMatchObject({
        status: 'queued',
        error: 'Internal error',
        events: [{ type: 'delayed', data: { attempt: 1, smtpResponse: 'Internal error' } }],
      });
      expect(await service.query('SELECT FROM refusals WHERE is_called')).toHaveLength(1);
      expect(await suppressions()).toEqual([]);
    } finally {
      await service.query('DROP FUNCTION refuse_suppression CASCADE');
      await service.query('DROP SEQUENCE refusals');
    }
  });

  it('suppresses the address once when several messages are refused concurrently', async () => {
    refuse('rcpt', 550, '5.1.1 no such user');
    const ids = await Promise.all(Array.from({ length: 8 }, () => shop.send({ text: 'Hi' }).catch(() => null)));
    for (const id of ids.filter((sent) => sent !== null))
      await waitFor('the outcome', async () => {
        const { body } = await account.asAdmin('get', `/api/messages/${id}`).expect(200);
        return ['bounced', 'suppressed'].includes(body.status as string);
      });
    expect(await suppressions()).toHaveLength(1);
    expect(await outbox()).toHaveLength(1);
  });
});
