import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainResponse } from '../../../src/modules/domains/http/domain.response.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture, PROCESS_KEY_ID, PROCESS_SES, SES } from '../../support/domain-fixture.js';
import { errorBody } from '../../support/errors.js';

let fixture: DomainFixture;
let account: TestAccount;
let domain: DomainResponse;
let number = 0;

const TIME = expect.any(String);
const verified = { status: 'verified', checkedAt: TIME, detail: null };
const pending = (detail: string) => ({ status: 'pending', checkedAt: TIME, detail });

async function add(): Promise<DomainResponse> {
  const name = `ses${(number += 1)}.example.com`;
  return (await account.asAdmin('post', '/api/domains').send({ name }).expect(201)).body;
}
const verify = async (): Promise<DomainResponse> =>
  (await account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200)).body;
const identities = () => fixture.aws.account(SES.accessKeyId).identities;
const refuse = (error: string, status = 400) => {
  fixture.aws.answer = () => ({ status, error, message: 'No' });
};

beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  fixture.reset();
  account = await fixture.createSesAccount();
  domain = await add();
});

describe('POST /api/domains/:id/verify of an SES account', () => {
  it('takes DKIM and MAIL FROM from SES, and SPF from DNS', async () => {
    fixture.publish(domain);
    identities().verify(domain.name);
    expect(await verify()).toEqual({
      ...domain,
      status: 'verified',
      dkim: verified,
      spf: verified,
      mailFrom: verified,
      dmarc: expect.any(Object),
    });
  });

  it('waits for SES if all records are in DNS', async () => {
    fixture.publish(domain);
    const wait = 'SES has not found the records yet. DNS has them all: wait for SES';
    expect(await verify()).toMatchObject({ dkim: pending(wait), mailFrom: pending(wait), spf: verified });
  });

  it('names the missing record', async () => {
    fixture.publish(domain, ['TXT']);
    const [first, second, , mx] = domain.records;
    fixture.dns.set(first!.name, 'CNAME', [first!.value.toUpperCase()]);
    identities().get(domain.name).verificationError = 'HOST_NOT_FOUND';
    expect(await verify()).toMatchObject({
      dkim: pending(
        `SES has not found the records yet (HOST_NOT_FOUND). CNAME at ${second!.name} is missing: publish \`${second!.value}\``,
      ),
      mailFrom: pending(
        `SES has not found the records yet. MX at ${mx!.name} is missing: publish \`10 feedback-smtp.eu-west-1.amazonses.com\``,
      ),
    });
  });

  it('names the wrong record', async () => {
    fixture.publish(domain);
    const [first, , , mx] = domain.records;
    fixture.dns.set(first!.name, 'CNAME', ['other.example.org']);
    fixture.dns.set(mx!.name, 'MX', [
      { priority: 10, exchange: mx!.value },
      { priority: 20, exchange: 'mx.example.org' },
    ]);
    const { dkim, mailFrom } = await verify();
    expect(dkim.detail).toContain(`CNAME at ${first!.name} is \`other.example.org\` instead of \`${first!.value}\``);
    expect(mailFrom.detail).toContain(`MX at ${mx!.name} has 2 values: leave only \`10 ${mx!.value}\``);
  });

  it('stays verified while SES says so, and names the record that DNS has lost', async () => {
    fixture.publish(domain);
    identities().verify(domain.name);
    await verify();
    const [first] = domain.records;
    fixture.dns.set(first!.name, 'CNAME', []);
    expect(await verify()).toMatchObject({
      status: 'verified',
      dkim: { detail: `SES has verified it, but now CNAME at ${first!.name} is missing: publish \`${first!.value}\`` },
    });
  });

  it('restarts the verification after SES has stopped it', async () => {
    Object.assign(identities().get(domain.name), { dkimStatus: 'FAILED' });
    identities().get(domain.name).mailFrom!.status = 'FAILED';
    expect((await verify()).dkim.detail).toMatch(
      /^SES has given up looking for the records, and starts again\. CNAME at /,
    );
    expect(identities().get(domain.name)).toMatchObject({ dkimStatus: 'PENDING', mailFrom: { status: 'PENDING' } });
    expect(fixture.aws.requests('PutEmailIdentityDkimSigningAttributes')).toBe(1);
  });

  it('registers the domain again if SES has lost it', async () => {
    fixture.publish(domain);
    identities().verify(domain.name);
    expect(await verify()).toMatchObject({ status: 'verified' });
    identities().delete(domain.name);
    const { records, ...renewed } = await verify();
    expect(renewed).toMatchObject({
      status: 'pending',
      dkim: { status: 'pending' },
      spf: verified,
      mailFrom: pending('SES has not found the records yet. DNS has them all: wait for SES'),
    });
    expect(records[0]!.value).toBe(`${identities().get(domain.name).dkimTokens[0]}.dkim.amazonses.com`);
    expect(records[0]).not.toEqual(domain.records[0]);
  });

  it.each([
    ['TooManyRequestsException', 'SES answered TooManyRequestsException: No'],
    ['AccessDeniedException', 'SES answered AccessDeniedException: No'],
  ])('keeps the status if SES answers %s', async (error, detail) => {
    fixture.publish(domain);
    identities().verify(domain.name);
    await verify();
    refuse(error);
    expect(await verify()).toMatchObject({
      status: 'verified',
      dkim: { status: 'verified', detail },
      spf: verified,
      mailFrom: { status: 'verified', detail },
    });
  });

  it('keeps the status while SES cannot check, unless a record is missing in DNS', async () => {
    fixture.publish(domain);
    identities().verify(domain.name);
    await verify();
    identities().get(domain.name).dkimStatus = 'TEMPORARY_FAILURE';
    expect((await verify()).dkim).toMatchObject({
      status: 'verified',
      detail: 'SES cannot look for the records at the moment. DNS has them all: wait for SES',
    });
  });
});

describe('Concurrent checks of one domain', () => {
  it('keep the result of the one that started last, even if another ends later', async () => {
    fixture.publish(domain);
    let refuseFirst = (): void => undefined;
    const firstIsRefused = new Promise<void>((resolve) => (refuseFirst = resolve));
    const firstHasAsked = new Promise<void>((resolve) => {
      fixture.aws.answer = async () => {
        fixture.aws.answer = () => undefined;
        resolve();
        await firstIsRefused;
        return { status: 429, error: 'TooManyRequestsException', message: 'No' };
      };
    });
    const first = verify();
    await firstHasAsked;
    fixture.service.clock.advance({ seconds: 1 });
    identities().verify(domain.name);
    const latest = await verify();
    refuseFirst();
    expect(await first).toEqual(latest);
    expect(latest).toMatchObject({ status: 'verified', dkim: verified, mailFrom: verified });
  });

  it('register the domain once', async () => {
    await fixture.useSmtp(account, { host: '192.0.2.7' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => verify()));
    for (const { records } of answers) expect(records).toEqual(answers[0]!.records);
    const { body } = await account.asMember('get', `/api/domains/${domain.id}`).expect(200);
    expect(body.records).toEqual(answers[0]!.records);
  });
});

describe('A domain of an account that changes its provider', () => {
  it('is registered with SES by the next check, and keeps its key for a return to SMTP', async () => {
    account = await fixture.service.createAccount();
    domain = await add();
    fixture.publish(domain);
    expect(await verify()).toMatchObject({ status: 'verified' });
    await fixture.useSes(account);
    const moved = await verify();
    expect(moved).toMatchObject({ status: 'pending', dkim: { status: 'pending' }, spf: { status: 'pending' } });
    expect(moved.records.map(({ type }) => type)).toEqual(['CNAME', 'CNAME', 'CNAME', 'MX', 'TXT']);
    expect(identities().get(domain.name).mailFrom!.domain).toBe(`mail.${domain.name}`);
    await fixture.useSmtp(account, { host: '192.0.2.7' });
    const back = await verify();
    expect(back.records[0]).toEqual(domain.records[0]);
    expect(back).toMatchObject({ dkim: { status: 'verified' }, spf: { status: 'pending' } });
  });

  it('is not changed if SES refuses to register it', async () => {
    account = await fixture.service.createAccount();
    domain = await add();
    fixture.publish(domain);
    await verify();
    await fixture.useSes(account);
    refuse('LimitExceededException');
    await account
      .asAdmin('post', `/api/domains/${domain.id}/verify`)
      .expect(500, errorBody(500, 'Provider error: SES answered LimitExceededException: No'));
    const { body } = await account.asMember('get', `/api/domains/${domain.id}`).expect(200);
    expect(body).toMatchObject({ status: 'verified', records: domain.records });
  });
});

describe('A domain with an existing identity in SES', () => {
  const create = (name: string) => account.asAdmin('post', '/api/domains').send({ name });

  it('keeps its MAIL FROM domain, and stays in SES when it is deleted', async () => {
    const identity = identities().verify('existing.example.com');
    const mailFrom = {
      domain: 'bounce.existing.example.com',
      status: 'SUCCESS',
      onMxFailure: 'REJECT_MESSAGE',
    } as const;
    identity.mailFrom = { ...mailFrom };
    const { body } = await create(identity.name).expect(201);
    domain = body;
    expect(domain.records.slice(3).map(({ name }) => name)).toEqual([mailFrom.domain, mailFrom.domain]);
    fixture.publish(domain);
    expect(await verify()).toMatchObject({ status: 'verified' });
    identity.mailFrom.status = 'FAILED';
    await verify();
    expect(identity.mailFrom).toEqual({ ...mailFrom, status: 'PENDING' });
    await account.asAdmin('delete', `/api/domains/${domain.id}`).expect(200);
    expect(identities().find(identity.name)).toBe(identity);
  });

  it('is refused with the shared credentials of the process, unless it was created for this account', async () => {
    account = await fixture.createSesAccount(PROCESS_SES);
    const shared = fixture.aws.account(PROCESS_KEY_ID).identities;
    shared.verify('shared.example.com');
    await create('shared.example.com').expect(
      409,
      errorBody(409, 'shared.example.com is already an identity in SES; remove it there first'),
    );
    const { body } = await account.asAdmin('get', '/api/domains').expect(200);
    expect(body.items).toEqual([]);
    domain = await add();
    await fixture.useSmtp(account, { host: '192.0.2.7' });
    await verify();
    await fixture.useSes(account, PROCESS_SES);
    expect((await verify()).records).toEqual(domain.records);
  });

  it('is not left incomplete in SES', async () => {
    fixture.aws.answer = ({ operation }) =>
      operation === 'PutEmailIdentityMailFromAttributes'
        ? { status: 429, error: 'TooManyRequestsException', message: 'No' }
        : undefined;
    await create('half.example.com').expect(500);
    expect(identities().find('half.example.com')).toBeUndefined();
  });
});

describe('DELETE /api/domains/:id of an SES account', () => {
  const remove = () => account.asAdmin('delete', `/api/domains/${domain.id}`).expect(200, domain);

  it('deletes the identity in SES', async () => {
    await remove();
    expect(identities().find(domain.name)).toBeUndefined();
    const again = await account.asAdmin('post', '/api/domains').send({ name: domain.name }).expect(201);
    expect(again.body.id).not.toBe(domain.id);
  });

  it('deletes it although the account now sends through a relay, so that no other account finds it verified', async () => {
    identities().verify(domain.name);
    await fixture.useSmtp(account, { host: '192.0.2.7' });
    await verify();
    await account.asAdmin('delete', `/api/domains/${domain.id}`).expect(200);
    const other = await fixture.createSesAccount();
    const { body } = await other.asAdmin('post', '/api/domains').send({ name: domain.name }).expect(201);
    expect(body).toMatchObject({ status: 'pending' });
    expect(identities().get(domain.name).verificationStatus).toBe('PENDING');
  });

  it('deletes the domain although SES no longer has it, or refuses', async () => {
    identities().delete(domain.name);
    await remove();
    domain = await add();
    refuse('TooManyRequestsException', 429);
    await remove();
    await account.asMember('get', `/api/domains/${domain.id}`).expect(404);
  });
});
