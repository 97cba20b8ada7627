import { describe, expect, it } from '@jest/globals';

import type { SmsSettings, StoredSettings } from '../../shared/account-settings.js';
import type { Seal, SmsProviderSettings } from '../capabilities/settings.js';
import { snsSettings } from '../sns/sns-settings.js';
import { type SmsChange, SmsSection } from './sms-settings.js';

interface RavenChange extends SmsChange {
  region?: string;
  raven?: { tower: string; word?: string };
}

const raven: SmsProviderSettings<SmsSettings, RavenChange> = {
  fields: ['raven'],
  secrets: ['sealedWord'],
  initialRate: 3,
  change: (current, { raven: change }, seal) => ({
    tower: change?.tower ?? (current as { tower?: string } | null)?.tower,
    ...(change?.word !== undefined && { sealedWord: seal(change.word) }),
  }),
  faultOf: (settings) => ('tower' in settings && settings.tower === 'none' ? 'sms.raven.tower is needed' : null),
  accountOf: ({ sms }) => (sms as unknown as { tower: string }).tower,
};

const section = new SmsSection<RavenChange>({ sns: snsSettings, raven }, 'sns');
const seal: Seal = (plain) => `sealed ${plain}`;
const change = (current: SmsSettings | null, body: RavenChange) => section.change(current, body, seal);
const DEFAULTS = { enabled: false, originationNumber: null, twoWay: false };
const SNS = { ...DEFAULTS, senderId: null, topicArn: null, sealedEventSigningKey: null, region: 'us-east-1' };

describe('The section of SMS', () => {
  it('has the fields of the channel and of its provider, which is the default unless one is named', () => {
    expect(change(null, { region: 'us-east-1' })).toEqual({ ...SNS, maxSendRate: 20 });
    expect(change(null, { provider: 'raven', raven: { tower: 'north', word: 'nevermore' } })).toEqual({
      ...{ ...DEFAULTS, provider: 'raven', maxSendRate: 3, tower: 'north', sealedWord: 'sealed nevermore' },
    });
    expect(section.secrets).toEqual(['sealedEventSigningKey', 'sealedWord']);
    expect(section.channels).toEqual(['sms']);
  });

  it('keeps what is not changed, also that of the provider before, but not the limit of its number', () => {
    const before = change(null, { region: 'us-east-1', originationNumber: '2065550100', enabled: true });
    const kept = { ...SNS, enabled: true, originationNumber: '+12065550100', maxSendRate: 20 };
    expect(before).toEqual(kept);
    const after = change(before, { provider: 'raven', raven: { tower: 'north' } });
    expect(after).toEqual({ ...kept, provider: 'raven', tower: 'north', maxSendRate: 3 });
    expect(change(after, { twoWay: true })).toEqual({ ...after, twoWay: true });
    expect(change(after, { provider: 'sns' })).toEqual({ ...after, provider: 'sns', maxSendRate: 20 });
  });

  it('keeps the fields of a provider that is not there any more', () => {
    const stored = { ...DEFAULTS, provider: 'pigeon', maxSendRate: 7, loft: 'west' };
    expect(change(stored, { enabled: true })).toEqual({ ...stored, enabled: true });
    expect(() => change(stored, { region: 'us-east-1' })).toThrow('sms.region is no setting of the provider pigeon');
    expect(section.accountOf({ sms: stored } as unknown as StoredSettings)).toBe('pigeon ');
  });

  it('refuses what its provider refuses, and numbers that are none', () => {
    expect(() => change(null, {})).toThrow('sms.region is required');
    const ravens = { raven: { tower: 'north' } };
    expect(() => change(null, { region: 'us-east-1', ...ravens })).toThrow(
      'sms.raven is no setting of the provider sns',
    );
    expect(() => change(null, { provider: 'raven', region: 'us-east-1', ...ravens })).toThrow(
      'sms.region is no setting',
    );
    expect(() => change(null, { region: 'us-east-1', twoWay: true })).toThrow('sms.topicArn is needed for sms.twoWay');
    expect(() => change(null, { provider: 'raven', raven: { tower: 'none' } })).toThrow('sms.raven.tower is needed');
    expect(() => change(null, { region: 'us-east-1', originationNumber: '12' })).toThrow('sms.originationNumber must');
    expect(change(null, { region: 'us-east-1', originationNumber: '72345' })).toMatchObject({
      originationNumber: '72345',
    });
  });

  it('keeps stop words once each, and quiet hours as they are given', () => {
    const quietHours = { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' };
    const before = change(null, { region: 'us-east-1', stopWords: [' Stopp', 'STOPP!', 'Ende'], quietHours });
    expect(before).toMatchObject({ stopWords: ['Stopp', 'Ende'], quietHours });
    expect(change(before, { enabled: true })).toEqual({ ...before, enabled: true });
    expect(change(before, { stopWords: null, quietHours: null })).toEqual({
      ...before,
      stopWords: [],
      quietHours: null,
    });
  });

  it.each<[object, string]>([
    [{ stopWords: ['Stopp', 'Help!'] }, 'sms.stopWords[1] is a word with another meaning'],
    [{ stopWords: ['start'] }, 'sms.stopWords[0] is a word with another meaning'],
    [{ stopWords: [' '] }, 'sms.stopWords[0] must have a letter or digit'],
    [
      { quietHours: { from: '21:00', to: '21:00', timeZone: 'UTC' } },
      'sms.quietHours.to must not be the same as sms.quietHours.from',
    ],
    ...['Mars/Olympus', '+01:00', ''].map((timeZone): [object, string] => [
      { quietHours: { from: '21:00', to: '08:00', timeZone } },
      'sms.quietHours.timeZone must be an IANA time zone such as Europe/Berlin',
    ]),
  ])('refuses %j', (body, message) => {
    expect(() => change(null, { region: 'us-east-1', ...body })).toThrow(message);
  });

  it('names another account if the provider, its place or its access changes', () => {
    const of = (sms: SmsSettings | null, accessKeyId: string | null = null) =>
      section.accountOf({ sms, ses: accessKeyId === null ? null : { accessKeyId } } as unknown as StoredSettings);
    const sns = change(null, { region: 'us-east-1' });
    const names = [
      ...[of(null), of(sns), of(sns, 'AKIA1'), of(change(sns, { region: 'eu-west-1' }), 'AKIA1')],
      of(change(sns, { provider: 'raven', raven: { tower: 'us-east-1' } })),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(of(change(sns, { enabled: true, senderId: 'Shop' } as RavenChange), 'AKIA1')).toBe(of(sns, 'AKIA1'));
  });
});
