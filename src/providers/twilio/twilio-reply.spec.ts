import { describe, expect, it } from '@jest/globals';

import { isOtherChannel, parseTwilioReply } from './twilio-reply.js';

const form = (more: Record<string, string> = {}) =>
  new URLSearchParams({ MessageSid: 'SM1', From: '+14155550100', To: '+12065550100', Body: 'Thanks!', ...more });

describe('A reply that Twilio posts', () => {
  it('is what a person has written', () => {
    expect(parseTwilioReply(form())).toEqual({
      ...{ from: '+14155550100', to: '+12065550100', body: 'Thanks!', providerMessageId: 'SM1' },
      ...{ previousProviderMessageId: null, request: null },
    });
    expect(parseTwilioReply(form({ To: '72727', Body: '' }))).toMatchObject({ to: '72727', body: '' });
    expect(parseTwilioReply(form({ Body: 'a\0b' }))).toMatchObject({ body: 'ab' });
  });

  it.each(['STOP', ' stop\n', 'Arrêt!', 'unsubscribe.', 'S.T.O.P'])('is a stop word: %j', (Body) => {
    expect(parseTwilioReply(form({ Body }))).toMatchObject({ request: 'stop' });
  });

  it.each(['please stop it', 'STOP NOW', ''])('asks for nothing: %j', (Body) => {
    expect(parseTwilioReply(form({ Body }))).toMatchObject({ request: null });
  });

  it.each([
    ['Schluss', 'STOP', 'stop'],
    ['Dabei', 'START', 'start'],
    ['start', '', 'start'],
    ['start', 'START', 'start'],
    ['Hilfe', 'HELP', null],
    ['start', 'STOP', 'stop'],
    ['stop', 'START', 'stop'],
  ])('asks for what its text or the words of the messaging service say: %j, %s', (Body, OptOutType, request) => {
    expect(parseTwilioReply(form({ Body, OptOutType }))).toMatchObject({ request });
  });

  it.each(['MessageSid', 'From', 'To'])('must have a %s', (name) => {
    expect(parseTwilioReply(form({ [name]: '' }))).toBeNull();
  });

  it('may be one of another channel', () => {
    expect(isOtherChannel(form({ From: 'whatsapp:+14155550100' }))).toBe(true);
    expect(isOtherChannel(form())).toBe(false);
  });
});
