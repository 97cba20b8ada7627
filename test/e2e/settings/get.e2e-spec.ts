import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TestService } from '../../support/service.js';

const AT_FIRST = {
  tracking: 'off',
  trackingConsent: 'not_required',
  branding: { logoUrl: null, color: null },
  consent: { requiredFor: 'none' },
  smtp: null,
  ses: null,
  sms: null,
  canSend: { email: false, sms: false },
  delivery: { state: 'active', reason: null, since: null, until: null },
  warnings: [],
};

describe('GET /api/settings', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());

  it('shows every user the settings of their own account', async () => {
    const acme = await service.createAccount({ name: 'Acme', dailySendCap: 500 });
    const other = await service.createAccount({ name: 'Other' });
    await acme.asMember('get', '/api/settings').expect(200, {
      accountName: 'Acme',
      dailySendCap: 500,
      campaignCapShare: 90,
      emailProvider: 'smtp',
      ...AT_FIRST,
    });
    await other.asAdmin('get', '/api/settings').expect(200, {
      accountName: 'Other',
      dailySendCap: 1_000,
      campaignCapShare: 90,
      emailProvider: 'smtp',
      ...AT_FIRST,
    });
  });

  it('shows at once whether messages can be sent when a provider is set or cleared', async () => {
    const account = await service.createAccount();
    const canSend = async () => (await account.asMember('get', '/api/settings').expect(200)).body.canSend;
    const change = async (body: object) =>
      (await account.asAdmin('patch', '/api/settings').send(body).expect(200)).body.canSend;
    const smtp = { host: 'smtp.example.com', port: 587, username: null, password: null };
    expect(await canSend()).toEqual({ email: false, sms: false });
    expect(await change({ smtp })).toEqual({ email: true, sms: false });
    expect(await change({ smtp: null, sms: { enabled: true, region: 'us-east-1' } })).toEqual({
      email: false,
      sms: false,
    });
    expect(await change({ sms: { originationNumber: '+12065550100' } })).toEqual({ email: false, sms: true });
    expect(await change({ ses: { region: 'eu-west-1' }, emailProvider: 'ses' })).toEqual({ email: true, sms: true });
    expect(await canSend()).toEqual({ email: true, sms: true });
  });

  it('shows that email can be sent through the relay of the installation', async () => {
    const withRelay = await TestService.start({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:25' });
    try {
      const account = await withRelay.createAccount();
      const { body } = await account.asMember('get', '/api/settings').expect(200);
      expect(body.canSend).toEqual({ email: true, sms: false });
    } finally {
      await withRelay.stop();
    }
  });

  it('shows what the operator should change', async () => {
    const production = await TestService.start({ ROLE: 'api', NODE_ENV: 'production' });
    try {
      const account = await production.createAccount();
      const { body, headers } = await account.asMember('get', '/api/settings').expect(200);
      expect(body.warnings).toEqual(['trusted_proxies_unset']);
      expect(headers['x-service-warning']).toBe('trusted_proxies_unset');
      const stranger = await production.request('get', '/api/settings').expect(401);
      expect(stranger.headers).not.toHaveProperty('x-service-warning');
    } finally {
      await production.stop();
    }
  });

  it('shows settings with secrets that can no longer be decrypted', async () => {
    const account = await service.createAccount();
    const smtp = { host: 'smtp.example.com', port: 587, username: 'acme', password: 'a secret' };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    await service.query(`UPDATE accounts SET smtp = smtp || '{"sealedPassword": "garbage"}' WHERE id = $1`, [
      account.id,
    ]);
    const { body } = await account.asMember('get', '/api/settings').expect(200);
    expect(body).toMatchObject({ smtp: { host: 'smtp.example.com', passwordSet: true }, canSend: { email: true } });
  });
});
