import { describe, expect, it } from '@jest/globals';

import { isOtherChannel, parseTwilioReply } from './twilio-reply.js';

const form = (more: Record<string, string> = {}) =>
  new URLSearchParams({ MessageSid: 'SM1', From: '+14155550100', To: '+12065550100', Body: 'Thanks!', ...more });

describe('A reply that Twilio posts', () => {
  it('is what a person has written', () => {
    expect(parseTwilioReply(form())).toEqual({
      ...{ from: '+14155550100', to: '+12065550100', body: 'Thanks!', providerMessageId: 'SM1' },
      ...{ previousProviderMessageId: null, isStop: false },
    });
    expect(parseTwilioReply(form({ To: '72727', Body: '' }))).toMatchObject({ to: '72727', body: '' });
    expect(parseTwilioReply(form({ Body: 'a\0b' }))).toMatchObject({ body: 'ab' });
  });

  it.each(['STOP', ' stop\n', 'Arrêt!', 'unsubscribe.', 'S.T.O.P'])('is a stop word: %j', (Body) => {
    expect(parseTwilioReply(form({ Body }))).toMatchObject({ isStop: true });
  });

  it.each(['please stop it', 'STOP NOW', 'start', ''])('is no stop word: %j', (Body) => {
    expect(parseTwilioReply(form({ Body }))).toMatchObject({ isStop: false });
  });

  it('is a stop word if the messaging service has it as one', () => {
    expect(parseTwilioReply(form({ Body: 'Schluss', OptOutType: 'STOP' }))).toMatchObject({ isStop: true });
    for (const OptOutType of ['START', 'HELP'])
      expect(parseTwilioReply(form({ Body: 'Schluss', OptOutType }))).toMatchObject({ isStop: false });
  });

  it.each(['MessageSid', 'From', 'To'])('must have a %s', (name) => {
    expect(parseTwilioReply(form({ [name]: '' }))).toBeNull();
  });

  it('may be one of another channel', () => {
    expect(isOtherChannel(form({ From: 'whatsapp:+14155550100' }))).toBe(true);
    expect(isOtherChannel(form())).toBe(false);
  });
});
