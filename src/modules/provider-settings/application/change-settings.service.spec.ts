import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../shared/ports/clock.js';
import type { SecretBox } from '../../../shared/ports/secret-box.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { Account, AccountRepository } from '../../accounts/index.js';
import { ChangeSettings } from './change-settings.service.js';
import type { DeliveryPauses } from './ports/delivery-pauses.js';
import type { SmsAccountStatuses } from './ports/sms-account-statuses.js';

const NOW = new Date('2027-01-04T12:00:00Z');
const SES = { region: 'eu-west-1', accessKeyId: 'AKIA1', secretAccessKey: 'secret' };

describe('ChangeSettings', () => {
  function setUp(stored: Partial<Account> | null = {}) {
    const log: string[] = [];
    const account = stored && { ...newAccount(), ...stored };
    const recording = (what: string) => {
      log.push(what);
      return Promise.resolve();
    };
    const service = new ChangeSettings(
      { runInLane: (_: string, work: () => Promise<unknown>) => work() } as unknown as TransactionRunner,
      {
        findAndLock: () => Promise.resolve(account),
        save: () => recording('saved'),
      } as unknown as AccountRepository,
      { end: (_: string, channel: string) => recording(`${channel} resumed`) } as unknown as DeliveryPauses,
      { remove: () => recording('SMS status removed') } as unknown as SmsAccountStatuses,
      { seal: (plain: string) => `sealed ${plain}` } as unknown as SecretBox,
      { now: () => NOW } as unknown as Clock,
    );
    return { log, change: (change: Parameters<typeof service.change>[1]) => service.change('a', change) };
  }

  it('changes the given settings and keeps the others', async () => {
    const { log, change } = setUp();
    expect(await change({ dailySendCap: 5 })).toEqual({ ...newAccount(), dailySendCap: 5, updatedAt: NOW });
    expect(log).toEqual(['saved']);
  });

  it('changes the given part of the branding, and clears it', async () => {
    const { change } = setUp();
    const logoUrl = 'https://cdn.example.com/logo.png';
    expect(await change({ branding: { logoUrl, color: '#336699' } })).toMatchObject({ logoUrl, brandColor: '#336699' });
    expect(await change({ branding: { color: null } })).toMatchObject({ logoUrl, brandColor: null });
    expect(await change({ branding: null })).toMatchObject({ logoUrl: null, brandColor: null });
  });

  it('seals secrets', async () => {
    const { change } = setUp();
    const { ses, smtp } = await change({ ses: SES, smtp: { host: 'smtp.example.com', port: 587, password: 'p' } });
    expect([ses?.sealedSecretAccessKey, smtp?.sealedPassword]).toEqual(['sealed secret', 'sealed p']);
  });

  it.each([
    ['another provider', { emailProvider: 'smtp' as const }],
    ['another relay', { smtp: { host: 'smtp.example.com', port: 587 } }],
  ])('ends the pause of email for %s', async (_, settings) => {
    const { log, change } = setUp();
    await change(settings);
    expect(log).toEqual(['saved', 'email resumed']);
  });

  it('ends the pause of SMS for other SMS settings', async () => {
    const { log, change } = setUp({ sms: smsIn('us-east-1') });
    await change({ sms: { maxSendRate: 1 } });
    expect(log).toEqual(['saved', 'sms resumed']);
  });

  it('removes the SMS account status for another region', async () => {
    const { log, change } = setUp({ sms: smsIn('us-east-1') });
    await change({ sms: { region: 'eu-west-1' } });
    expect(log).toEqual(['saved', 'sms resumed', 'SMS status removed']);
  });

  it('removes the SMS account status for another access key, and ends both pauses', async () => {
    const { log, change } = setUp({ sms: smsIn('us-east-1') });
    await change({ ses: SES });
    expect(log).toEqual(['saved', 'email resumed', 'sms resumed', 'SMS status removed']);
  });

  it('refuses SES as the provider without SES settings', async () => {
    const { log, change } = setUp();
    await expect(change({ emailProvider: 'ses' })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'ses is required for SES',
    });
    expect(log).toEqual([]);
  });

  it('refuses to clear the SES settings while SES is the provider', async () => {
    const { change } = setUp();
    await change({ ses: SES, emailProvider: 'ses' });
    await expect(change({ ses: null })).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('does not find an account that does not exist', async () => {
    await expect(setUp(null).change({})).rejects.toMatchObject({ kind: 'not_found' });
  });
});

const newAccount = (): Account => ({
  ...{
    id: 'a',
    testOf: null,
    name: 'Acme',
    dailySendCap: 1_000,
    campaignCapShare: 90,
    emailProvider: 'smtp',
    tracking: 'off',
    trackingConsent: 'not_required',
    consentRequiredFor: 'none',
  },
  ...{
    smtp: null,
    ses: null,
    sms: null,
    logoUrl: null,
    brandColor: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  },
});

const smsIn = (region: string) => ({
  ...{ enabled: true, region, originationNumber: null, senderId: null, twoWay: false },
  ...{ topicArn: null, maxSendRate: 20, sealedEventSigningKey: null },
});
