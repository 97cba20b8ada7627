import { describe, expect, it } from '@jest/globals';

import { toDeliveryError } from './twilio-error.js';

const SETTINGS_AT = new Date(0);
const ATTEMPTED = { sender: '+12065550100', settingsAt: SETTINGS_AT };
const nameOf = (status: number, content: unknown) => toDeliveryError(status, content, ATTEMPTED).name;
const error = (code: number) => ({ code, message: 'what Twilio says', status: 400 });

describe('an error of Twilio', () => {
  it.each([
    [400, 21610, 'OptedOutError'],
    [400, 21211, 'HardBounceError'],
    [400, 21614, 'HardBounceError'],
    [400, 30005, 'HardBounceError'],
    [400, 21408, 'PermanentDeliveryError'],
    [403, 20403, 'PermanentDeliveryError'],
    [429, 20429, 'ThrottledError'],
    [429, 63038, 'ProviderPausedError'],
    [400, 21611, 'ThrottledError'],
    [401, 20003, 'ProviderPausedError'],
    [403, 20003, 'ProviderPausedError'],
    [400, 20005, 'ProviderPausedError'],
    [404, 20404, 'ProviderPausedError'],
    [400, 21609, 'ProviderPausedError'],
    [400, 30002, 'ProviderPausedError'],
    [400, 21212, 'ProviderPausedError'],
    [400, 21659, 'ProviderPausedError'],
    [400, 21660, 'ProviderPausedError'],
    [400, 21661, 'ProviderPausedError'],
    [400, 21705, 'ProviderPausedError'],
    [400, 21606, 'TransientDeliveryError'],
    [400, 21703, 'TransientDeliveryError'],
    [500, 20500, 'UnknownOutcomeError'],
    [503, 20503, 'UnknownOutcomeError'],
  ])('of status %d with the code %d is a %s', (status, code, name) => {
    expect(nameOf(status, error(code))).toBe(name);
  });

  it.each([
    [401, 'ProviderPausedError'],
    [429, 'ThrottledError'],
    [404, 'TransientDeliveryError'],
    [403, 'TransientDeliveryError'],
    [408, 'UnknownOutcomeError'],
    [302, 'UnknownOutcomeError'],
    [502, 'UnknownOutcomeError'],
  ])('of status %d without a code, as a proxy answers, is a %s', (status, name) => {
    for (const content of [null, {}, [21610], 'text', { code: '21610' }]) expect(nameOf(status, content)).toBe(name);
  });

  it.each(['72727', 'Shop'])(
    'about a sender that some countries do not take is none about the account: %s',
    (sender) => {
      for (const code of [21212, 21606, 21659])
        expect(toDeliveryError(400, error(code), { ...ATTEMPTED, sender }).name).toBe('TransientDeliveryError');
    },
  );

  it('says what Twilio says, as far as it can be shown and stored', () => {
    expect(toDeliveryError(400, error(21610), ATTEMPTED).message).toBe('Twilio error 21610: what Twilio says');
    expect(toDeliveryError(502, null, ATTEMPTED).message).toBe('Twilio answered 502');
    const long = toDeliveryError(400, { code: 21408, message: `a\0\ud800${'👍'.repeat(1_000)}` }, ATTEMPTED).message;
    expect(long).toMatch(/^Twilio error 21408: a\ufffd👍/);
    expect(long.length).toBeLessThanOrEqual(500);
    expect(long.isWellFormed()).toBe(true);
  });

  it('that pauses the account names the settings that it is about', () => {
    expect(toDeliveryError(401, error(20003), ATTEMPTED)).toMatchObject({ settingsAt: SETTINGS_AT });
  });
});
