import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { SenderResponse } from '../../../src/modules/senders/http/sender.response.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture, PROCESS_KEY_ID, PROCESS_SES, SES } from '../../support/domain-fixture.js';
import { errorBody } from '../../support/errors.js';
import { SmtpSink } from '../../support/smtp-sink.js';

describe('Senders of an SES account', () => {
  let sink: SmtpSink;
  let fixture: DomainFixture;
  let account: TestAccount;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    fixture = await DomainFixture.start({ SMTP_URL: sink.url });
  });
  afterAll(async () => {
    await fixture.stop();
    await sink.stop();
  });
  beforeEach(async () => {
    fixture.reset();
    sink.reset();
    await fixture.service.query('DELETE FROM senders');
    await fixture.service.query('DELETE FROM verification_mail_counts');
    await fixture.service.query('DELETE FROM domains');
    account = await fixture.createSesAccount();
  });

  const EMAIL = 'Ada@example.com';
  const create = (as = account) => as.asAdmin('post', '/api/senders').send({ email: EMAIL });
  const added = async (): Promise<SenderResponse> => (await create().expect(201)).body;
  const listed = async (): Promise<SenderResponse[]> =>
    (await account.asMember('get', '/api/senders').expect(200)).body.items;
  const identities = () => fixture.aws.account(SES.accessKeyId).identities;
  const advance = (by: { hours?: number; minutes?: number }) => {
    fixture.service.clock.advance(by);
  };
  const resend = (id: string) => account.asAdmin('post', `/api/senders/${id}/resend`);

  it('makes SES mail its link, and verifies the sender after it was used', async () => {
    const sender = await added();
    expect(sender).toMatchObject({ email: EMAIL, status: 'pending', verifiedAt: null });
    expect(identities().get(EMAIL)).toMatchObject({ name: EMAIL, type: 'EMAIL_ADDRESS' });
    expect(sink.received()).toEqual([]);
    expect(await fixture.checkDueSenders()).toBe(0);
    advance({ minutes: 1 });
    expect(await fixture.checkDueSenders()).toBe(1);
    expect(await listed()).toEqual([sender]);
    identities().verify(EMAIL);
    advance({ minutes: 1 });
    expect(await fixture.checkDueSenders()).toBe(1);
    expect(await listed()).toEqual([{ ...sender, status: 'verified', verifiedAt: expect.any(String) }]);
    advance({ hours: 30 });
    expect(await fixture.checkDueSenders()).toBe(0);
  });

  it('polls every minute for an hour, then hourly while the link works', async () => {
    await added();
    advance({ minutes: 59 });
    expect(await fixture.checkDueSenders()).toBe(1);
    advance({ minutes: 2 });
    expect(await fixture.checkDueSenders()).toBe(1);
    advance({ minutes: 58 });
    expect(await fixture.checkDueSenders()).toBe(0);
    advance({ minutes: 3 });
    expect(await fixture.checkDueSenders()).toBe(1);
    advance({ hours: 23 });
    expect(await fixture.checkDueSenders()).toBe(1);
    advance({ hours: 48 });
    expect(await fixture.checkDueSenders()).toBe(0);
  });

  it('is verified at once if SES has the address verified', async () => {
    identities().verify(EMAIL);
    expect(await added()).toMatchObject({ status: 'verified', verifiedAt: expect.any(String) });
  });

  const identityExists = () => errorBody(409, `${EMAIL} is already an identity in SES; remove it there first`);

  it('refuses an unverified identity in SES, which mails only to new ones', async () => {
    identities().create(EMAIL);
    await create().expect(409, identityExists());
    expect(await listed()).toEqual([]);
    expect(fixture.aws.requests('DeleteEmailIdentity')).toBe(0);
  });

  it('does not delete an identity that existed before', async () => {
    identities().verify(EMAIL);
    const { id } = await added();
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    expect(identities().find(EMAIL)).toBeDefined();
  });

  it('refuses an existing identity with the credentials of the process, which accounts share', async () => {
    account = await fixture.createSesAccount(PROCESS_SES);
    const shared = fixture.aws.account(PROCESS_KEY_ID).identities;
    shared.verify(EMAIL);
    await create().expect(409, identityExists());
    expect(await listed()).toEqual([]);
    shared.delete(EMAIL);
    const { id } = await added();
    advance({ minutes: 1 });
    await resend(id).expect(200);
    shared.verify(EMAIL);
    advance({ minutes: 1 });
    expect((await resend(id).expect(200)).body).toMatchObject({ status: 'verified' });
  });

  it('makes SES mail again, at most once a minute', async () => {
    const { id } = await added();
    await resend(id).expect(429);
    advance({ minutes: 1 });
    expect((await resend(id).expect(200)).body).toMatchObject({ status: 'pending' });
    expect(fixture.aws.requests('DeleteEmailIdentity')).toBe(1);
    identities().verify(EMAIL);
    advance({ minutes: 1 });
    expect((await resend(id).expect(200)).body).toMatchObject({ status: 'verified' });
    await resend(id).expect(409);
  });

  it('polls again after another mail', async () => {
    const { id } = await added();
    advance({ hours: 30 });
    await fixture.checkDueSenders();
    await resend(id).expect(200);
    identities().verify(EMAIL);
    advance({ minutes: 1 });
    await fixture.checkDueSenders();
    expect(await listed()).toMatchObject([{ status: 'verified' }]);
  });

  it('returns the error of SES, adds nothing, and can be repeated at once', async () => {
    fixture.aws.answer = () => ({ status: 400, error: 'LimitExceededException', message: 'Too many identities' });
    await create().expect(
      500,
      errorBody(500, 'Provider error: SES answered LimitExceededException: Too many identities'),
    );
    expect(await listed()).toEqual([]);
    fixture.aws.answer = () => undefined;
    await added();
    expect(identities().find(EMAIL)).toBeDefined();
  });

  it('continues with the other senders if SES does not answer for one', async () => {
    await added();
    await account.asAdmin('post', '/api/senders').send({ email: 'bob@example.com' }).expect(201);
    identities().verify(EMAIL);
    identities().verify('bob@example.com');
    fixture.aws.answer = ({ parameters }) =>
      parameters.EmailIdentity === EMAIL
        ? { status: 429, error: 'TooManyRequestsException', message: 'No' }
        : undefined;
    advance({ minutes: 1 });
    expect(await fixture.checkDueSenders()).toBe(2);
    expect((await listed()).map(({ status }) => status)).toEqual(['verified', 'pending']);
  });

  it('deletes the identity in SES with the sender', async () => {
    const { id } = await added();
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    expect(identities().find(EMAIL)).toBeUndefined();
  });

  it('deletes the identity in SES although the account now sends through a relay', async () => {
    const { id } = await added();
    await fixture.useSmtp(account, { host: '127.0.0.1', port: sink.port });
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    expect(identities().find(EMAIL)).toBeUndefined();
  });

  it('leaves the identity in an SES account that is no longer accessible', async () => {
    const { id } = await added();
    await fixture.useSes(account, { ...SES, region: 'us-east-1' });
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    expect(identities().find(EMAIL)).toBeDefined();
  });

  it('deletes the sender although SES refuses to delete its identity', async () => {
    const { id } = await added();
    fixture.aws.answer = () => ({ status: 403, error: 'AccessDeniedException', message: 'No' });
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    expect(await listed()).toEqual([]);
  });

  it('does not accept a confirmation that another account obtained in the same AWS account', async () => {
    await added();
    identities().verify(EMAIL);
    const other = await fixture.createSesAccount();
    await create(other).expect(409, errorBody(409, `${EMAIL} belongs to another account of this installation`));
    const { body } = await other.asAdmin('get', '/api/senders').expect(200);
    expect(body.items).toEqual([]);
    expect(identities().find(EMAIL)).toBeDefined();
  });

  const verify = async () => {
    const sender = await added();
    identities().verify(EMAIL);
    advance({ minutes: 1 });
    await fixture.checkDueSenders();
    expect(await listed()).toMatchObject([{ status: 'verified' }]);
    return sender;
  };

  it.each([
    ['region', { ...SES, region: 'us-east-1' }],
    ['access key', { ...SES, accessKeyId: 'AKIAOTHER', secretAccessKey: 'other' }],
  ])('makes a sender pending when the account changes its %s, and can be repeated', async (_, ses) => {
    const sender = await verify();
    identities().delete(EMAIL);
    await fixture.useSes(account, ses);
    await fixture.checkDueSenders();
    expect(await listed()).toEqual([sender]);
    await resend(sender.id).expect(200, sender);
    expect(fixture.aws.account(ses.accessKeyId).identities.find(EMAIL)).toBeDefined();
  });

  it('makes a sender pending that a link of the service verified', async () => {
    account = await fixture.service.createAccount();
    await account.verifySender(EMAIL);
    await fixture.checkDueSenders();
    expect(await listed()).toMatchObject([{ status: 'verified' }]);
    await fixture.useSes(account);
    await fixture.checkDueSenders();
    expect(await listed()).toMatchObject([{ status: 'pending', verifiedAt: null }]);
  });

  it('requests a link from SES for such a sender without waiting for the schedule', async () => {
    account = await fixture.service.createAccount();
    await account.verifySender(EMAIL);
    await fixture.useSes(account);
    const [{ id }] = (await listed()) as [SenderResponse];
    expect((await resend(id).expect(200)).body).toMatchObject({ status: 'pending', verifiedAt: null });
    identities().verify(EMAIL);
    advance({ minutes: 1 });
    await fixture.checkDueSenders();
    expect(await listed()).toMatchObject([{ status: 'verified' }]);
    await resend(id).expect(409);
  });

  it('does not accept a confirmation of another SES account than the one that mailed the link', async () => {
    await added();
    const other = { ...SES, accessKeyId: 'AKIAOTHER', secretAccessKey: 'other' };
    fixture.aws.account(other.accessKeyId).identities.verify(EMAIL);
    await fixture.useSes(account, other);
    advance({ minutes: 1 });
    expect(await fixture.checkDueSenders()).toBe(1);
    expect(await listed()).toMatchObject([{ status: 'pending' }]);
  });

  it('mails a link of the service once the account sends through a relay', async () => {
    const { id } = await added();
    await fixture.useSmtp(account, { host: '127.0.0.1', port: sink.port });
    advance({ minutes: 1 });
    await resend(id).expect(200);
    const [link] = /\/verify-sender\/[\w-]{43}/.exec(sink.received()[0]!.parsed.text!)!;
    await fixture.service.request('post', link).expect(200);
    expect(await listed()).toMatchObject([{ status: 'verified' }]);
  });

  it('refuses an address of a domain that another account has verified', async () => {
    const owner = await fixture.service.createAccount();
    const { body: domain } = await owner.asAdmin('post', '/api/domains').send({ name: 'example.com' }).expect(201);
    await added();
    fixture.publish(domain);
    await owner.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
    await account
      .asAdmin('post', '/api/senders')
      .send({ email: 'Bob@Example.com' })
      .expect(409, errorBody(409, 'example.com belongs to another account of this installation'));
    await owner.asAdmin('post', '/api/senders').send({ email: 'carl@example.com' }).expect(201);
    await account.asAdmin('post', '/api/senders').send({ email: 'bob@mail.example.com' }).expect(201);
  });
});
