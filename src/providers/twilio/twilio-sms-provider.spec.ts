import { describe, expect, it } from '@jest/globals';

import type { TwilioConnection } from './twilio-connection.js';
import { TwilioSmsProvider } from './twilio-sms-provider.js';

const CONNECTION: TwilioConnection = {
  kind: 'twilio',
  accountSid: `AC${'a'.repeat(32)}`,
  authToken: 'the token of the owner',
  originationNumber: '+12065550100',
  maxSendRate: 1,
  settingsAt: new Date(0),
};
const unused = {} as never;
const provider = new TwilioSmsProvider(unused, unused, unused);

describe('The rate of a Twilio number', () => {
  it('is shared by accounts that have its token, and by no other', () => {
    const { key } = provider.limitOf(CONNECTION);
    expect(provider.limitOf({ ...CONNECTION, maxSendRate: 5 }).key).toBe(key);
    expect(provider.limitOf({ ...CONNECTION, authToken: 'a guess' }).key).not.toBe(key);
    expect(key).not.toContain(CONNECTION.authToken);
  });
});
