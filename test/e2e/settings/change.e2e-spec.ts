import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { raceForAccount } from '../../support/race.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const SMTP = { host: 'smtp.example.com', port: 587, secure: false, username: 'ada', password: 'relay secret' };
const SES = {
  region: 'eu-west-1',
  configurationSet: 'events',
  accessKeyId: 'AKIASHOP',
  secretAccessKey: 'ses secret',
};
const SHOWN = {
  host: 'smtp.example.com',
  port: 587,
  secure: false,
  username: 'ada',
  passwordSet: true,
  allowPlaintext: false,
  vendor: 'generic',
  eventSigningKeySet: false,
  maxSendRate: null,
};
const SMS = { region: 'us-east-1', enabled: true, originationNumber: '(206) 555-0100', senderId: 'Shop' };
const ACTIVE = { state: 'active', reason: null, since: null, until: null };

describe('PATCH /api/settings', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ SMTP_URL: 'smtp://installation.example' });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    account = await service.createAccount({ name: 'Acme' });
  });

  const change = (body: object) => account.asAdmin('patch', '/api/settings').send(body);
  const provider = () => service.app.get(ProviderDirectory, { strict: false }).find(account.id);
  const relay = async () => {
    const found = await provider();
    return found?.kind === 'smtp' ? found.relay : found;
  };

  it('changes the given settings and keeps the others', async () => {
    await change({ accountName: 'Acme Ltd' }).expect(200);
    await change({ dailySendCap: 100_000_000, emailProvider: 'smtp' }).expect(200);
    await change({ smtp: SMTP }).expect(200);
    await change({ smtp: { port: 465, secure: true } }).expect(200);
    const settings = {
      accountName: 'Acme Ltd',
      dailySendCap: 100_000_000,
      campaignCapShare: 90,
      emailProvider: 'smtp',
      tracking: 'off',
      trackingConsent: 'not_required',
      branding: { logoUrl: null, color: null },
      consent: { requiredFor: 'none' },
      smtp: { ...SHOWN, port: 465, secure: true },
      ses: null,
      sms: null,
      canSend: { email: true, sms: false },
      delivery: ACTIVE,
      warnings: [],
    };
    await change({}).expect(200, settings);
    await account.asMember('get', '/api/settings').expect(200, settings);
  });

  it('changes the branding in parts, and clears it', async () => {
    const branding = async (body: object | null) => (await change({ branding: body }).expect(200)).body.branding;
    const logoUrl = 'https://cdn.example.com/logo.png?v=2';
    expect(await branding({ logoUrl })).toEqual({ logoUrl, color: null });
    expect(await branding({ color: '#8A4b1f' })).toEqual({ logoUrl, color: '#8A4b1f' });
    expect(await branding({ logoUrl: null })).toEqual({ logoUrl: null, color: '#8A4b1f' });
    expect(await branding(null)).toEqual({ logoUrl: null, color: null });
  });

  it.each([
    [{ logoUrl: 'http://cdn.example.com/logo.png' }, 'branding.logoUrl must be the https URL of a file'],
    [{ logoUrl: 'https://cdn.example.com/logos/' }, 'branding.logoUrl must be the https URL of a file'],
    [{ logoUrl: `https://cdn.example.com/${'a'.repeat(2_000)}` }, 'branding.logoUrl must be the https URL of a file'],
    [{ logoUrl: 7 }, 'branding.logoUrl must be a string'],
    [{ color: 'red' }, 'branding.color must be a color such as #8a4b1f'],
    [{ color: '#8a4b1f;}*{display:none' }, 'branding.color must be a color such as #8a4b1f'],
    [{ font: 'Comic Sans' }, 'branding.font is not a known field'],
    ['brown', 'branding must be an object'],
  ])('refuses the branding %j', async (branding, message) => {
    const { body } = await change({ branding }).expect(400);
    expect(body.message).toContain(message);
  });

  it('stores the password encrypted, never returns it and logs in to the relay with it', async () => {
    const { body, text } = await change({ smtp: SMTP }).expect(200);
    expect(body.smtp).toEqual(SHOWN);
    const [row] = await service.query<{ smtp: object }>('SELECT smtp FROM accounts WHERE id = $1', [account.id]);
    expect(text + JSON.stringify(row)).not.toContain(SMTP.password);
    expect(await relay()).toMatchObject(SMTP);
  });

  it('stores the event signing key encrypted and never returns it', async () => {
    const eventSigningKey = 'a key for the proof of events';
    const { body, text } = await change({ smtp: { ...SMTP, eventSigningKey } }).expect(200);
    expect(body.smtp).toEqual({ ...SHOWN, eventSigningKeySet: true });
    const [row] = await service.query<{ smtp: object }>('SELECT smtp FROM accounts WHERE id = $1', [account.id]);
    expect(text + JSON.stringify(row)).not.toContain(eventSigningKey);
    const cleared = await change({ smtp: { eventSigningKey: null } }).expect(200);
    expect(cleared.body.smtp).toEqual(SHOWN);
  });

  it('does not send the stored password to another host', async () => {
    await change({ smtp: SMTP }).expect(200);
    const { body } = await change({ smtp: { host: 'smtp.example.net' } }).expect(200);
    expect(body.smtp).toEqual({ ...SHOWN, host: 'smtp.example.net', passwordSet: false });
    expect(await relay()).toMatchObject({ ...SMTP, host: 'smtp.example.net', password: null });
  });

  it('returns to the relay of the installation with null', async () => {
    await change({ smtp: SMTP }).expect(200);
    const { body } = await change({ smtp: null }).expect(200);
    expect(body.smtp).toBeNull();
    expect(await service.query('SELECT smtp IS NULL AS cleared FROM accounts WHERE id = $1', [account.id])).toEqual([
      { cleared: true },
    ]);
    expect(await relay()).toMatchObject({ host: 'installation.example' });
  });

  it("allows a cap below a key's daily limit", async () => {
    await account.createKey({ dailyLimit: 500 });
    const { body } = await change({ dailySendCap: 1 }).expect(200);
    expect(body.dailySendCap).toBe(1);
  });

  it('loses none of several concurrent changes', async () => {
    await change({ smtp: SMTP }).expect(200);
    const changes = [
      { accountName: 'Acme Ltd' },
      { dailySendCap: 7 },
      { smtp: { port: 2525 } },
      { smtp: { secure: true } },
      { smtp: { username: 'grace' } },
      { smtp: { password: 'new secret' } },
    ];
    const calls = changes.map((body) => () => change(body).expect(200));
    // Further changes of the account wait for its semaphore, not for its row.
    await raceForAccount(service, account.id, calls.slice(0, 3));
    await raceForAccount(service, account.id, calls.slice(3));
    await account.asAdmin('get', '/api/settings').expect(200, {
      accountName: 'Acme Ltd',
      dailySendCap: 7,
      campaignCapShare: 90,
      emailProvider: 'smtp',
      tracking: 'off',
      trackingConsent: 'not_required',
      branding: { logoUrl: null, color: null },
      consent: { requiredFor: 'none' },
      smtp: { ...SHOWN, port: 2525, secure: true, username: 'grace' },
      ses: null,
      sms: null,
      canSend: { email: true, sms: false },
      delivery: ACTIVE,
      warnings: [],
    });
    expect(await relay()).toMatchObject({ password: 'new secret' });
  });

  it('does not change other accounts', async () => {
    const other = await service.createAccount({ name: 'Other' });
    await change({ accountName: 'Acme Ltd', smtp: SMTP }).expect(200);
    const { body } = await other.asAdmin('get', '/api/settings').expect(200);
    expect(body).toMatchObject({ accountName: 'Other', smtp: null });
  });

  it.each([
    [{ accountName: null }, 'accountName must be a string'],
    [{ accountName: '' }, 'accountName must not be blank'],
    [{ accountName: '  ' }, 'accountName must not be blank'],
    [{ accountName: 'x'.repeat(101) }, 'accountName must be shorter than or equal to 100 characters'],
    [{ accountName: 'Acme\r\nLtd' }, 'accountName must not hold line breaks or control characters'],
    [{ dailySendCap: 0 }, 'dailySendCap must not be less than 1'],
    [{ dailySendCap: 100_000_001 }, 'dailySendCap must not be greater than 100000000'],
    [{ dailySendCap: 1.5 }, 'dailySendCap must be an integer number'],
    [{ dailySendCap: null }, 'dailySendCap must be an integer number'],
    [{ emailProvider: 'pigeon' }, 'emailProvider must be smtp or ses'],
    [{ emailProvider: 'ses' }, 'ses is required for SES'],
    [{ tracking: 'always' }, 'tracking must be one of native, provider, off'],
    [{ ses: {} }, 'ses.region is required'],
    [{ ses: { region: 'eu-west-1.evil.example' } }, 'ses.region must be an AWS region such as eu-west-1'],
    [{ ses: { ...SES, configurationSet: 'a b' } }, /^ses\.configurationSet must be 1 to 64 letters/],
    [{ ses: { ...SES, topicArn: 'arn:aws:sqs:eu-west-1:123456789012:q' } }, /^ses\.topicArn must be the ARN of an SNS/],
    [{ ses: { ...SES, accessKeyId: 'AKIA/1' } }, /^ses\.accessKeyId must be 1 to 128 letters and digits/],
    [{ ses: { ...SES, secretAccessKey: 'x\n' } }, /^ses\.secretAccessKey must not hold line breaks/],
    [{ ses: { region: 'eu-west-1', accessKeyId: 'AKIA1' } }, /^ses\.accessKeyId and ses\.secretAccessKey are needed/],
    [{ sms: {} }, 'sms.region is required'],
    [{ sms: 'us-east-1' }, 'sms must be an object'],
    [{ sms: { ...SMS, region: 'moon' } }, 'sms.region must be an AWS region such as eu-west-1'],
    [{ sms: { ...SMS, enabled: 'yes' } }, 'sms.enabled must be a boolean value'],
    [{ sms: { ...SMS, originationNumber: '+999' } }, /^sms\.originationNumber must be a phone number in E\.164 format/],
    [{ sms: { ...SMS, senderId: '1234' } }, /^sms\.senderId must be 3 to 11 letters, digits and hyphens/],
    [{ sms: { ...SMS, senderId: 'My Shop' } }, /^sms\.senderId must be 3 to 11 letters/],
    [{ sms: { ...SMS, topicArn: 'arn:aws:sqs:eu-west-1:123456789012:q' } }, /^sms\.topicArn must be the ARN of an SNS/],
    [{ sms: { ...SMS, twoWay: true } }, 'sms.topicArn is needed for sms.twoWay'],
    [{ sms: { ...SMS, maxSendRate: 0 } }, 'sms.maxSendRate must not be less than 0.1'],
    [{ sms: { ...SMS, sandbox: true } }, 'sms.sandbox is not a known field'],
    [{ sms: { ...SMS, toString: 'x' } }, 'sms.toString is not a known field'],
    [
      { valueOf: 1, smtp: { ...SMTP, hasOwnProperty: 'x' } },
      'valueOf is not a known field; smtp.hasOwnProperty is not a known field',
    ],
    [{ smtp: { ...SMTP, vendor: 'pigeon' } }, /^smtp\.vendor must be one of generic, /],
    [{ smtp: { ...SMTP, maxSendRate: 0 } }, 'smtp.maxSendRate must not be less than 0.1'],
    [
      { smtp: { ...SMTP, vendor: 'sendgrid', eventSigningKey: 'A'.repeat(16) } },
      /^smtp\.eventSigningKey must be SendGrid's/,
    ],
    [
      { smtp: { ...SMTP, vendor: 'resend', eventSigningKey: 'whsec_AAAAAAAAAAA' } },
      /^smtp\.eventSigningKey must be whsec_/,
    ],
    [
      { smtp: { ...SMTP, eventSigningKey: 'fifteen letters' } },
      'smtp.eventSigningKey must be longer than or equal to 16 characters',
    ],
    [
      { sms: { ...SMS, eventSigningKey: 'fifteen letters' } },
      'sms.eventSigningKey must be longer than or equal to 16 characters',
    ],
    [{ smtp: { ...SMTP, eventSigningKey: 7 } }, 'smtp.eventSigningKey must be a string'],
    [{ smtp: 'smtp://example.com' }, 'smtp must be an object'],
    [{ smtp: [SMTP] }, 'smtp must be an object'],
    [{ smtp: { port: 25 } }, 'smtp.host is required'],
    [{ smtp: { host: 'relay' } }, 'smtp.port is required'],
    [{ smtp: { ...SMTP, host: 'smtp://example.com' } }, 'smtp.host must be a host name or an IP address'],
    [{ smtp: { ...SMTP, host: null } }, 'smtp.host must be a host name or an IP address'],
    [{ smtp: { ...SMTP, port: 65_536 } }, 'smtp.port must not be greater than 65535'],
    [{ smtp: { ...SMTP, port: 0 } }, 'smtp.port must not be less than 1'],
    [{ smtp: { ...SMTP, secure: 'yes' } }, 'smtp.secure must be a boolean value'],
    [{ smtp: { ...SMTP, username: 'ada\r\nRSET' } }, 'smtp.username must not hold line breaks or control characters'],
    [{ smtp: { ...SMTP, password: 'secret\n' } }, 'smtp.password must not hold line breaks or control characters'],
    [{ smtp: { ...SMTP, sealedPassword: 'x' } }, 'smtp.sealedPassword is not a known field'],
    [{ name: 'Acme' }, 'name is not a known field'],
  ])('refuses %j', async (body, message) => {
    const answer = await change(body).expect(400);
    expect(answer.body).toEqual({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      error: 'Bad Request',
      statusCode: 400,
      code: 'validation',
    });
  });

  it('stores SES settings, returns them without the secret, and refuses to clear them while SES is the provider', async () => {
    const { body } = await change({ emailProvider: 'ses', tracking: 'native', ses: SES }).expect(200);
    const { secretAccessKey, ...shown } = SES;
    expect(body).toMatchObject({
      emailProvider: 'ses',
      tracking: 'native',
      ses: { ...shown, topicArn: null, secretAccessKeySet: true },
    });
    expect(await provider()).toMatchObject({
      kind: 'ses',
      access: { region: 'eu-west-1', credentials: { accessKeyId: 'AKIASHOP', secretAccessKey } },
    });
    await change({ ses: null }).expect(400, badRequest('ses is required for SES'));
    await change({ emailProvider: 'smtp', ses: null }).expect(200);
  });

  it('stores SMS settings beside SMTP, with the credentials of SES, and clears them', async () => {
    const shown = {
      ...SMS,
      ...{ provider: 'sns', twilio: null, stopWords: [], quietHours: null },
      originationNumber: '+12065550100',
      ...{ twoWay: false, topicArn: null, maxSendRate: 20, eventSigningKeySet: false, delivery: ACTIVE },
      ...{ sandbox: null, verifiedNumbers: [], originationNumbers: [], checkedAt: null },
    };
    const { body } = await change({ ses: SES, sms: SMS }).expect(200);
    expect(body).toMatchObject({ emailProvider: 'smtp', sms: shown });
    const directory = service.app.get(ProviderDirectory, { strict: false });
    expect(await directory.findSms(account.id)).toMatchObject({
      access: {
        region: 'us-east-1',
        credentials: { accessKeyId: SES.accessKeyId, secretAccessKey: SES.secretAccessKey },
      },
      originationNumber: '+12065550100',
      senderId: 'Shop',
    });
    const changed = await change({ sms: { originationNumber: '72727', senderId: null, maxSendRate: 100 } }).expect(200);
    expect(changed.body.sms).toEqual({ ...shown, originationNumber: '72727', senderId: null, maxSendRate: 100 });
    expect((await change({ sms: null }).expect(200)).body.sms).toBeNull();
    await waitFor('the change to be known', async () => (await directory.findSms(account.id)) === null);
  });

  it('changes nothing if one field is refused', async () => {
    await change({ accountName: 'Acme Ltd', smtp: { port: 25 } }).expect(400);
    const { body } = await account.asAdmin('get', '/api/settings').expect(200);
    expect(body.accountName).toBe('Acme');
  });
});
