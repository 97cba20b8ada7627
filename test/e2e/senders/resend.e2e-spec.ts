import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';

describe('POST /api/senders/:id/resend', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let sender: { id: string };

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
  });
  afterAll(() => fixture.stop());
  afterEach(() => {
    service.clock.unfreeze();
  });
  beforeEach(async () => {
    service.clock.freeze();
    relay.reset();
    await service.query('DELETE FROM verification_mail_counts'); // the tests share addresses
    account = await service.createAccount();
    const { body } = await account.asAdmin('post', '/api/senders').send({ email: 'ada@example.com' }).expect(201);
    sender = body;
  });

  const resend = (id = sender.id) => account.asAdmin('post', `/api/senders/${id}/resend`);
  const verifyWith = (mail: number) =>
    service.request('post', /\/verify-sender\/[\w-]{43}/.exec(relay.received()[mail]!.parsed.text!)![0]);
  const tooEarly = errorBody(429, 'The last verification mail was sent less than a minute ago');

  it('mails a new link, valid for another 24 hours, and invalidates the earlier one', async () => {
    service.clock.advance({ hours: 23 });
    await resend().expect(200, sender);
    expect(relay.received().map(({ envelope }) => envelope.to)).toEqual([['ada@example.com'], ['ada@example.com']]);
    await verifyWith(0).expect(404);
    service.clock.advance({ hours: 23 });
    await verifyWith(1).expect(200);
  });

  it('mails a new link when the earlier one has expired', async () => {
    service.clock.advance({ hours: 25 });
    await resend().expect(200);
    await verifyWith(1).expect(200);
  });

  it('mails at most once a minute, and returns how long to wait', async () => {
    service.clock.advance({ seconds: 40 });
    await resend().expect(429, tooEarly).expect('Retry-After', '20');
    service.clock.advance({ seconds: 20 });
    await resend().expect(200);
    await resend().expect(429, tooEarly).expect('Retry-After', '60');
    expect(relay.received()).toHaveLength(2);
  });

  it('mails one link for concurrent requests', async () => {
    service.clock.advance({ minutes: 1 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => resend()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429]);
    expect(relay.received()).toHaveLength(2);
    await verifyWith(1).expect(200);
  });

  it('allows another mail at once after a failed one, whose link works if it arrived', async () => {
    service.clock.advance({ minutes: 1 });
    relay.answer = (stage) => (stage === 'data' ? { code: 451, message: 'Try again later' } : undefined);
    await resend().expect(500, errorBody(500, 'Provider error: 451 Try again later'));
    relay.answer = (stage) => (stage === 'data' ? 'drop' : undefined);
    await resend().expect(500);
    await verifyWith(1).expect(200);
  });

  it('refuses a verified sender', async () => {
    await verifyWith(0).expect(200);
    service.clock.advance({ minutes: 1 });
    await resend().expect(409, errorBody(409, 'ada@example.com is already verified'));
    expect(relay.received()).toHaveLength(1);
  });
});
