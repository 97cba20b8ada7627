import { createPublicKey } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SecretBox } from '../../../src/shared/ports/secret-box.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture, SES } from '../../support/domain-fixture.js';
import { badRequest, errorBody } from '../../support/errors.js';

let fixture: DomainFixture;
let account: TestAccount;
let number = 0;

const newName = () => `shop${(number += 1)}.example.com`;
const create = (name: unknown, as = account) => as.asAdmin('post', '/api/domains').send({ name });
const pending = { status: 'pending', checkedAt: null, detail: null };

beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  fixture.reset();
  account = await fixture.service.createAccount();
});

describe('POST /api/domains of an SMTP account', () => {
  it('returns the records to publish, with a DKIM key of its own for the domain', async () => {
    await fixture.useSmtp(account, { host: 'Relay.example.net' });
    const { body } = await create('Mail.Bücher.DE.').expect(201);
    const name = 'mail.xn--bcher-kva.de';
    const selector = `ds${body.id.slice(-8)}`;
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      name,
      registeredDomain: 'xn--bcher-kva.de',
      status: 'pending',
      dkim: pending,
      spf: pending,
      mailFrom: pending,
      dmarc: { status: 'unknown', policy: null, detail: null, checkedAt: null },
      records: [
        { type: 'TXT', name: `${selector}._domainkey.${name}`, value: expect.any(String), purpose: 'dkim' },
        { type: 'TXT', name, value: 'v=spf1 a:relay.example.net ~all', purpose: 'spf' },
        { type: 'MX', name, value: 'relay.example.net', priority: 10, purpose: 'mail_from' },
      ],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const [, key] = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/]+=*)$/.exec(body.records[0].value)!;
    expect(createPublicKey({ key: Buffer.from(key!, 'base64'), type: 'spki', format: 'der' })).toMatchObject({
      asymmetricKeyType: 'rsa',
      asymmetricKeyDetails: { modulusLength: 2_048 },
    });
  });

  it('stores the private key sealed', async () => {
    const { body } = await create(newName()).expect(201);
    const [row] = await fixture.service.query<{ sealed_dkim_key: string; dkim_public_key: string }>(
      'SELECT sealed_dkim_key, dkim_public_key FROM domains WHERE id = $1',
      [body.id],
    );
    expect(row!.sealed_dkim_key).toMatch(/^v1\./);
    const pem = fixture.service.app.get(SecretBox).open(row!.sealed_dkim_key);
    expect(createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(row!.dkim_public_key);
    expect(body.records[0].value).toContain(row!.dkim_public_key);
  });

  it.each([
    [{ host: 'smtp.sendgrid.net', vendor: 'sendgrid' }, 'include:sendgrid.net', 'smtp.sendgrid.net'],
    [{ host: 'smtp.mailgun.org', vendor: 'mailgun' }, 'include:mailgun.org', 'smtp.mailgun.org'],
    [{ host: 'smtp.postmarkapp.com', vendor: 'postmark' }, 'include:spf.mtasv.net', 'smtp.postmarkapp.com'],
    [{ host: 'smtp.resend.com', vendor: 'resend' }, 'include:amazonses.com', 'smtp.resend.com'],
    [{ host: '192.0.2.7' }, 'ip4:192.0.2.7', null],
    [{ host: '2001:DB8::7' }, 'ip6:2001:db8::7', null],
  ])('names the relay %j', async (smtp, mechanism, exchange) => {
    await fixture.useSmtp(account, smtp);
    const name = newName();
    const { body } = await create(name).expect(201);
    expect(body.records.slice(1)).toMatchObject([
      { value: `v=spf1 ${mechanism} ~all` },
      { value: exchange ?? name, priority: 10 },
    ]);
  });

  it('works without a relay too', async () => {
    const name = newName();
    const { body } = await create(name).expect(201);
    expect(body.records.slice(1)).toMatchObject([{ value: 'v=spf1 ~all' }, { value: name }]);
  });

  it.each([
    [undefined, 'name must be a string'],
    [42, 'name must be a string'],
    ['', 'name must be a domain such as example.com'],
    ['localhost', 'name must be a domain such as example.com'],
    ['com', 'name must be a domain such as example.com'],
    ['192.0.2.1', 'name must be a domain such as example.com'],
    ['[2001:db8::1]', 'name must be a domain such as example.com'],
    ['2001:db8::1', 'name must be a domain such as example.com'],
    ['ada@example.com', 'name must be a domain such as example.com'],
    ['https://example.com', 'name must be a domain such as example.com'],
    ['example.com/a', 'name must be a domain such as example.com'],
    ['*.example.com', 'name must be a domain such as example.com'],
    ['a_b.example.com', 'name must be a domain such as example.com'],
    ['-a.example.com', 'name must be a domain such as example.com'],
    ['a..example.com', 'name must be a domain such as example.com'],
    ['example.com..', 'name must be a domain such as example.com'],
    [`${'a'.repeat(64)}.com`, 'name must be a domain such as example.com'],
    [`${'a.'.repeat(125)}com.com`, 'name must be a domain such as example.com'],
    ['xn--a.com', 'name must be a domain such as example.com'],
    ['shop.localhost', 'name must be a domain of the public DNS, which shop.localhost is not'],
    ['shop.test', 'name must be a domain of the public DNS, which shop.test is not'],
    ['printer.local', 'name must be a domain of the public DNS, which printer.local is not'],
    ['co.uk', 'name must be a domain of its own: co.uk is a public suffix'],
    ['GitHub.io', 'name must be a domain of its own: github.io is a public suffix'],
  ])('refuses %j', async (name, message) => {
    await create(name).expect(400, badRequest(message));
  });

  it('refuses an unknown field', async () => {
    await account
      .asAdmin('post', '/api/domains')
      .send({ name: newName(), status: 'verified' })
      .expect(400, badRequest('status is not a known field'));
  });

  it('refuses a domain that the account already has, but not one that another account has not verified', async () => {
    const name = newName();
    const { body: held } = await create(name).expect(201);
    await create(` ${name.toUpperCase()}. `).expect(409, errorBody(409, `${name} is already a domain of this account`));
    await create(name, await fixture.service.createAccount()).expect(201);
    fixture.publish(held);
    await account.asAdmin('post', `/api/domains/${held.id}/verify`).expect(200);
    const third = await fixture.service.createAccount();
    await create(name, third).expect(409, errorBody(409, `${name} belongs to another account of this installation`));
    await create(`mail.${name}`, third).expect(201);
  });

  it('adds a name once in each of two accounts that send several concurrent requests', async () => {
    const name = newName();
    const other = await fixture.service.createAccount();
    const answers = await Promise.all([create(name), create(name, other), create(name), create(name, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(await fixture.service.query('SELECT FROM domains WHERE name = $1', [name])).toHaveLength(2);
  });

  it('allows other accounts to add a name once its check has failed', async () => {
    const name = newName();
    const { body: held } = await create(name).expect(201);
    fixture.publish(held);
    await account.asAdmin('post', `/api/domains/${held.id}/verify`).expect(200);
    fixture.dns.reset();
    for (const hours of [1, 24]) {
      fixture.service.clock.advance({ hours });
      await account.asAdmin('post', `/api/domains/${held.id}/verify`).expect(200);
    }
    const { body } = await account.asAdmin('get', `/api/domains/${held.id}`).expect(200);
    expect(body.status).toBe('failed');
    await create(name, await fixture.service.createAccount()).expect(201);
  });
});

describe('POST /api/domains of an SES account', () => {
  beforeEach(async () => {
    account = await fixture.createSesAccount();
  });

  it('creates the identity and returns its records', async () => {
    const name = newName();
    const { body } = await create(name).expect(201);
    const identity = fixture.aws.account(SES.accessKeyId).identities.get(name);
    expect(identity).toMatchObject({
      keyLength: 'RSA_2048_BIT',
      mailFrom: { domain: `mail.${name}`, onMxFailure: 'USE_DEFAULT_VALUE' },
    });
    expect(body).toMatchObject({ name, status: 'pending', dkim: pending, spf: pending, mailFrom: pending });
    expect(body.records).toEqual([
      ...identity.dkimTokens.map((token) => ({
        type: 'CNAME',
        name: `${token}._domainkey.${name}`,
        value: `${token}.dkim.amazonses.com`,
        purpose: 'dkim',
      })),
      {
        type: 'MX',
        name: `mail.${name}`,
        value: 'feedback-smtp.eu-west-1.amazonses.com',
        priority: 10,
        purpose: 'mail_from',
      },
      { type: 'TXT', name: `mail.${name}`, value: 'v=spf1 include:amazonses.com ~all', purpose: 'spf' },
    ]);
  });

  it('uses an existing identity in SES', async () => {
    const name = newName();
    const { dkimTokens } = fixture.aws.account(SES.accessKeyId).identities.create(name);
    const { body } = await create(name).expect(201);
    expect(body.records[0].value).toBe(`${dkimTokens[0]}.dkim.amazonses.com`);
  });

  it.each(['CreateEmailIdentity', 'GetEmailIdentity', 'PutEmailIdentityMailFromAttributes'])(
    'adds nothing where SES refuses %s',
    async (refused) => {
      const name = newName();
      fixture.aws.answer = ({ operation }) =>
        operation === refused ? { status: 429, error: 'TooManyRequestsException', message: 'Slow down' } : undefined;
      await create(name).expect(
        500,
        errorBody(500, 'Provider error: SES answered TooManyRequestsException: Slow down'),
      );
      const { body } = await account.asMember('get', '/api/domains').expect(200);
      expect(body.total).toBe(0);
      fixture.aws.answer = () => undefined;
      await create(name).expect(201);
    },
  );

  it('reports wrong credentials, and a connection that SES closes', async () => {
    fixture.aws.admission = { keyState: () => 'unknown', regions: undefined };
    await create(newName()).expect(
      500,
      errorBody(
        500,
        'Provider error: SES answered UnrecognizedClientException: The security token included in the request is invalid.',
      ),
    );
    fixture.aws.answer = () => 'drop';
    await create(newName()).expect(500, errorBody(500, 'Provider error: SES cannot be reached (ECONNRESET)'));
  });

  it('sends no request to SES for a name that another account has verified', async () => {
    const name = newName();
    const owner = await fixture.service.createAccount();
    const { body: owned } = await create(name, owner).expect(201);
    fixture.publish(owned);
    await owner.asAdmin('post', `/api/domains/${owned.id}/verify`).expect(200);
    await create(name).expect(409);
    expect(fixture.aws.requests('CreateEmailIdentity')).toBe(0);
  });
});
