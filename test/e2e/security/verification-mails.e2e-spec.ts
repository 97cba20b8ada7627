import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';

const LATELY = errorBody(429, 'The last verification mail was sent less than a minute ago');
const TOO_MANY_TO_ADDRESS = errorBody(429, 'Daily limit of verification mails reached for this address');
const TOO_MANY_OF_ACCOUNT = errorBody(429, 'Daily limit of verification mails reached for this account');

describe('Verification mails', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let number = 0;

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
    // Start at midnight, so that the minutes of a test are within one day.
    service.clock.advance({ days: 1 });
    service.clock.advance({ minutes: -minutesOfDay(service.clock.now()) });
    relay.reset();
    account = await service.createAccount({ name: 'Your mailbox is full, visit https://evil.example' });
  });

  const add = (email: string, as = account) => as.asAdmin('post', '/api/senders').send({ email });
  const remove = ({ id }: { id: string }) => account.asAdmin('delete', `/api/senders/${id}`).expect(200);
  const newAddress = () => `victim${(number += 1)}@example.org`;
  const aMinuteLater = () => {
    service.clock.advance({ minutes: 1 });
  };

  it('are sent to an address once a minute, even if its sender is deleted and added again', async () => {
    const email = newAddress();
    await remove((await add(email).expect(201)).body);
    await add(email.toUpperCase()).expect(429, LATELY).expect('Retry-After', '60');
    aMinuteLater();
    await add(email).expect(201);
    expect(relay.received()).toHaveLength(2);
    expect((await account.asAdmin('get', '/api/senders')).body.total).toBe(1);
  });

  it('of one account are sent to an address five times a day', async () => {
    const email = newAddress();
    for (let mail = 1; mail <= 5; mail++) {
      await remove((await add(email).expect(201)).body);
      aMinuteLater();
    }
    const { headers } = await add(email).expect(429, TOO_MANY_TO_ADDRESS);
    expect(Number(headers['retry-after'])).toBeGreaterThan(80_000);
    const { body } = await account.asAdmin('get', '/api/senders').expect(200);
    expect(body.items).toEqual([]);
    service.clock.advance({ days: 1 });
    await add(email).expect(201);
  });

  it('of all accounts are sent to an address exactly ten times a day, even for concurrent requests', async () => {
    const email = newAddress();
    const accounts = await Promise.all(Array.from({ length: 14 }, () => service.createAccount()));
    const answers = await Promise.all(accounts.map((one) => add(email, one)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { status, body } of answers) if (status !== 201) expect(body).toEqual(TOO_MANY_TO_ADDRESS);
    expect(relay.received()).toHaveLength(10);
  });

  it('to sub-addresses of one mailbox are counted together for all accounts', async () => {
    const [local, domain] = newAddress().split('@');
    const accounts = await Promise.all(Array.from({ length: 12 }, () => service.createAccount()));
    for (const [i, one] of accounts.entries()) {
      const answer = add(`${local}+${i}@${domain}`, one);
      await (i < 10 ? answer.expect(201) : answer.expect(429, TOO_MANY_TO_ADDRESS));
    }
    await add(`other.${local}+1@${domain}`).expect(201);
    expect(relay.received()).toHaveLength(11);
  });

  it('of one account are exactly fifty a day, even for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => add(newAddress())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(relay.received()).toHaveLength(50);
    await add(newAddress()).expect(429, TOO_MANY_OF_ACCOUNT);
    await add(newAddress(), await service.createAccount()).expect(201);
  });

  it('are counted when they are sent again', async () => {
    const { body } = await add(newAddress()).expect(201);
    for (let mail = 2; mail <= 5; mail++) {
      aMinuteLater();
      await account.asAdmin('post', `/api/senders/${body.id}/resend`).expect(200);
    }
    aMinuteLater();
    await account.asAdmin('post', `/api/senders/${body.id}/resend`).expect(429, TOO_MANY_TO_ADDRESS);
    expect(relay.received()).toHaveLength(5);
  });

  it('are not sent to an address that the account suppresses', async () => {
    const email = newAddress();
    const { body } = await add(email).expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
    aMinuteLater();
    await account.asAdmin('post', `/api/senders/${body.id}/resend`).expect(400, badRequest(`${email} is suppressed`));
    await remove(body);
    await add(email.toUpperCase()).expect(400, badRequest(`${email.toUpperCase()} is suppressed`));
    expect(relay.received()).toHaveLength(1);
  });

  it('contain no text that the account chose', async () => {
    await add('ceo+visit.evil.example@example.org').expect(201);
    const [mail] = relay.received();
    const { subject, text, html } = mail!.parsed;
    expect(`${subject} ${text} ${String(html)}`).not.toMatch(/evil|mailbox/);
  });

  it('leave no sender behind if they fail, and are counted all the same', async () => {
    const email = newAddress();
    relay.answer = (stage) => (stage === 'rcpt' ? { code: 450, message: 'Greylisted' } : undefined);
    for (let mail = 1; mail <= 5; mail++)
      await add(email).expect(500, errorBody(500, 'Provider error: 450 Greylisted'));
    expect((await account.asAdmin('get', '/api/senders').expect(200)).body.items).toEqual([]);
    relay.reset();
    await add(email).expect(429, TOO_MANY_TO_ADDRESS);
  });
});

const minutesOfDay = (time: Date) => time.getUTCHours() * 60 + time.getUTCMinutes();
