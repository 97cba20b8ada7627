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
  function setUp(stored: Partial<Account> = {}) {
    const log: string[] = [];
    const account = { ...newAccount(), ...stored };
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

  it('removes the SMS account status for another access key, and ends both pauses', async () => {
    const { log, change } = setUp({ sms: smsIn('us-east-1') });
    await change({ ses: SES });
    expect(log).toEqual(['saved', 'email resumed', 'sms resumed', 'SMS status removed']);
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
