import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { SenderDirectory } from '../../../src/modules/senders/index.js';
import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture, SES } from '../../support/domain-fixture.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { verifyDomain } from '../../support/verify-domain.js';
import { waitFor } from '../../support/wait-for.js';

const CEO = 'ceo@victim.com';
const NOT_VERIFIED = `${CEO} is not verified for sending`;

let service: TestService;
let account: TestAccount;
/** The account's own relay, whose operator can read all mail sent through it. */
let own: SmtpSink;

/** Resolves when the workers use the new relay. */
async function useRelay(relay: SmtpSink | null): Promise<void> {
  const smtp = relay && { host: '127.0.0.1', port: relay.port };
  await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  const providers = service.app.get(ProviderDirectory, { strict: false });
  await waitFor('the settings to show', async () => {
    const provider = await providers.find(account.id);
    if (relay === null) return provider?.kind !== 'smtp' || provider.owner === 'installation';
    return provider?.kind === 'smtp' && provider.relay.port === relay.port;
  });
}
const addSender = (email = CEO) => account.asAdmin('post', '/api/senders').send({ email });
const confirm = async (relay: SmtpSink) => {
  const mail = await waitFor('the link', () => relay.received().at(-1));
  await service.request('post', /\/verify-sender\/[\w-]{43}/.exec(mail.parsed.text!)![0]).expect(200);
};
const send = (secret: string) => postEmail(service, secret, { fromEmail: CEO, text: 'Transfer the money' });
const messageWith = (what: string, where: string, id: string) =>
  waitFor(what, async () => {
    const rows = await service.query<{ error: string; status: string }>(
      `SELECT error, status FROM message_logs WHERE id = $1 AND ${where}`,
      [id],
    );
    return rows[0];
  });
/** As if a minute had passed for this message. */
const retryNow = async (id: string) => {
  await service.query(
    `UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity' WHERE message_id = $1`,
    [id],
  );
  await service.app.get(SweepDeliveries, { strict: false }).sweep();
};

beforeEach(async () => {
  own = await SmtpSink.start();
});
afterEach(() => own.stop());

describe('A sender in an installation with a relay', () => {
  let fixture: RelayFixture;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    await service.query('DELETE FROM verification_mail_counts');
    account = await service.createAccount();
  });

  it('gets its link through that relay even if the account has its own', async () => {
    await useRelay(own);
    await addSender().expect(201);
    expect(own.received()).toEqual([]);
    expect(fixture.relay.received().map(({ envelope }) => envelope.to)).toEqual([[CEO]]);
  });

  it('that it proved can be used with any SMTP relay', async () => {
    await addSender().expect(201);
    await confirm(fixture.relay);
    const { secret } = await account.createKey();
    await send(secret).expect(201);
    await useRelay(own);
    await send(secret).expect(201);
    await waitFor('the mail', () => own.received().length > 0);
  });

  it.each([
    ['the account’s own relay', 'smtp:127.0.0.1:2525:'],
    ['SES of the account', `ses:${SES.region}:${SES.accessKeyId}`],
    ['an unknown provider', null],
  ])('that was proved through %s cannot be used with it', async (_, provider) => {
    await account.verifySender(CEO, provider);
    await service.query('UPDATE senders SET link_carrier = $2 WHERE account_id = $1', [account.id, provider]);
    const { secret } = await account.createKey();
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
  });

  it('is not sent through it if it was accepted for the account’s own relay', async () => {
    await useRelay(own);
    await account.verifySender(CEO);
    const { secret } = await account.createKey();
    own.answer = () => ({ code: 450, message: 'Later' });
    const id = await sendEmail(service, secret, { fromEmail: CEO, text: 'Transfer the money' });
    await messageWith('the first attempt', `error LIKE '450%'`, id);
    await useRelay(null);
    await retryNow(id);
    const { error } = await messageWith('the second attempt', `error IS NOT NULL AND error NOT LIKE '450%'`, id);
    expect(error).toBe(NOT_VERIFIED);
    expect(fixture.relay.received()).toEqual([]);
    await useRelay(own);
    own.reset();
    // The periodic check of senders may have run while there was no relay of the account.
    await account.verifySendersAgain();
    await retryNow(id);
    await messageWith('the third attempt', `status = 'sent'`, id);
  });
});

describe('A sender in an installation without a relay', () => {
  let other: SmtpSink;

  beforeAll(async () => {
    other = await SmtpSink.start();
    service = await TestService.start();
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
  });
  beforeEach(async () => {
    other.reset();
    await service.query('DELETE FROM verification_mail_counts');
    account = await service.createAccount();
    await useRelay(own);
    await addSender().expect(201);
    await confirm(own);
  });

  it('is accepted only for the relay that carried its link', async () => {
    const { secret } = await account.createKey();
    await send(secret).expect(201);
    await useRelay(other);
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: '127.0.0.1', port: own.port, username: 'somebody' } })
      .expect(200);
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
    await useRelay(null);
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
  });
});

describe('A sender of an SES account', () => {
  let fixture: DomainFixture;
  let relay: SmtpSink;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await DomainFixture.start({ SMTP_URL: relay.url });
    ({ service } = fixture);
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    fixture.reset();
    await service.query('DELETE FROM senders');
    account = await fixture.createSesAccount();
    fixture.aws.account(SES.accessKeyId).identities.verify(CEO);
  });

  it('that its own AWS account verified cannot be used with the installation’s relay', async () => {
    const { body } = await addSender().expect(201);
    expect(body.status).toBe('verified');
    const { secret } = await account.createKey();
    await send(secret).expect(201);
    await account.asAdmin('patch', '/api/settings').send({ emailProvider: 'smtp' }).expect(200);
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
    await fixture.checkDueSenders();
    expect((await account.asAdmin('get', '/api/senders')).body.items).toMatchObject([{ status: 'pending' }]);
  });

  it('is not verified by SES once its link goes through the relay', async () => {
    fixture.aws.account(SES.accessKeyId).identities.delete(CEO);
    const { body } = await addSender().expect(201);
    await service.query(`UPDATE senders SET set_up_for = 'smtp', link_carrier = 'installation' WHERE id = $1`, [
      body.id,
    ]);
    fixture.aws.account(SES.accessKeyId).identities.verify(CEO);
    service.clock.advance({ minutes: 1 });
    await fixture.checkDueSenders();
    expect((await account.asAdmin('get', '/api/senders')).body.items).toMatchObject([{ status: 'pending' }]);
  });
});

describe('A sender in the domain of another account', () => {
  let fixture: RelayFixture;
  let owner: TestAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service } = fixture);
    account = await service.createAccount();
    owner = await service.createAccount();
  });
  afterAll(() => fixture.stop());

  it('is refused as soon as the domain is verified: when added, accepted and submitted', async () => {
    await account.verifySender(CEO);
    const { secret } = await account.createKey();
    await send(secret).expect(201);
    await verifyDomain(service, owner, 'victim.com');
    await addSender('cfo@victim.com').expect(
      409,
      errorBody(409, 'victim.com belongs to another account of this installation'),
    );
    await send(secret).expect(400, badRequest(NOT_VERIFIED));
    const directory = service.app.get(SenderDirectory, { strict: false });
    const provider = {
      ...({ kind: 'smtp', owner: 'installation', vendor: 'generic', maxSendRate: null, tracking: 'off' } as const),
      relay: {
        host: '127.0.0.1',
        port: 25,
        secure: false,
        username: null,
        password: null,
        allowPrivateAddress: true,
        allowPlaintext: true,
      },
      settingsAt: new Date(),
    };
    await waitFor(
      'the cached permission to end',
      async () => (await directory.findFault(account.id, CEO, provider)) === NOT_VERIFIED,
    );
  });
});
