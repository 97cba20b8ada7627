import { describe, expect, it } from '@jest/globals';

import type { SmsSettings, StoredSettings } from '../../shared/account-settings.js';
import { type TwilioChange, twilioFieldsOf, twilioSettings } from './twilio-settings.js';
import { TwilioSettingsResponse } from './twilio-settings.response.js';

const [ONE, OTHER] = ['a', 'b'].map((digit) => `AC${digit.repeat(32)}`) as [string, string];
const SERVICE = `MG${'c'.repeat(32)}`;
const change = (current: object | null, twilio: TwilioChange['twilio'] = {}) =>
  twilioSettings.change(current as SmsSettings | null, { twilio }, (plain) => `sealed ${plain}`) as SmsSettings;
const stored = change(null, { accountSid: ONE, authToken: 'token', from: '(206) 555-0100' });

describe('The settings of Twilio', () => {
  it('are stored with the token sealed, and shown without it', () => {
    expect(stored).toEqual({
      ...{ twilioAccountSid: ONE, sealedTwilioAuthToken: 'sealed token' },
      ...{ twilioFrom: '+12065550100', twilioMessagingServiceSid: null },
    });
    expect(TwilioSettingsResponse.from(stored)).toEqual({
      ...{ accountSid: ONE, authTokenSet: true, from: '+12065550100', messagingServiceSid: null },
    });
    expect(TwilioSettingsResponse.from({} as SmsSettings)).toBeNull();
    expect(twilioSettings.secrets.filter((name) => !(name in stored))).toEqual([]);
  });

  it('keep what is not changed', () => {
    expect(change(stored)).toEqual(stored);
    expect(change(stored, { authToken: 'new' })).toEqual({ ...stored, sealedTwilioAuthToken: 'sealed new' });
    expect(change(stored, { accountSid: ONE })).toEqual(stored);
  });

  it('need an account and its token, also if the account changes', () => {
    expect(() => change(null)).toThrow('sms.twilio.accountSid is required');
    expect(() => change(null, { authToken: 'token' })).toThrow('sms.twilio.accountSid is required');
    expect(() => change(null, { accountSid: ONE })).toThrow('sms.twilio.authToken is required');
    expect(() => change(stored, { accountSid: OTHER })).toThrow('sms.twilio.authToken is required');
    expect(change(stored, { accountSid: OTHER, authToken: 'x' })).toMatchObject({ sealedTwilioAuthToken: 'sealed x' });
  });

  it('have one sender: the one that is named replaces the other', () => {
    const senderOf = (settings: SmsSettings) => {
      const { twilioFrom, twilioMessagingServiceSid } = twilioFieldsOf(settings);
      return [twilioFrom, twilioMessagingServiceSid];
    };
    const byService = change(stored, { messagingServiceSid: SERVICE });
    expect(senderOf(byService)).toEqual([null, SERVICE]);
    expect(senderOf(change(byService, { from: '72727' }))).toEqual(['72727', null]);
    expect(senderOf(change(byService, { from: null }))).toEqual([null, SERVICE]);
    expect(senderOf(change(byService, { from: null, messagingServiceSid: null }))).toEqual([null, null]);
    expect(senderOf(change(byService, { from: 'My Shop', messagingServiceSid: null }))).toEqual(['My Shop', null]);
    expect(() => change(stored, { from: '72727', messagingServiceSid: SERVICE })).toThrow('exclude each other');
  });

  it.each(['+999', '123', 'a name that is too long', 'Shop!', '1234567'])('cannot send from %j', (from) => {
    expect(() => change(stored, { from })).toThrow('sms.twilio.from must be');
  });

  it('name the account at Twilio', () => {
    const of = (sms: SmsSettings | null) => twilioSettings.accountOf({ sms } as StoredSettings);
    expect([of(null), of({} as SmsSettings), of(stored)]).toEqual(['', '', ONE]);
  });
});
