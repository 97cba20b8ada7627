import { describe, expect, it } from '@jest/globals';

import { isStopWord, parseSmsReply } from './sms-reply.js';

describe('A stop word', () => {
  it.each([
    'STOP',
    'stop',
    ' Stop. \n',
    '"STOP!!"',
    'S T O P',
    'stop 🛑',
    'ＳＴＯＰ',
    'OPT-OUT',
    'opt out',
    'OPTOUT',
    'Arrêt',
    'ARRET',
    'cancel',
    'End.',
    'Quit',
    'REMOVE',
    'td',
    'unsubscribe',
  ])('is %j', (text) => {
    expect(isStopWord(text)).toBe(true);
  });

  it.each(['', ' ', '.', 'START', 'UNSTOP', 'stop it', 'please stop', 'STOP 2', 'nonstop', 'the end', 'help', 'JOIN'])(
    'is not %j',
    (text) => {
      expect(isStopWord(text)).toBe(false);
    },
  );
});

describe('A reply', () => {
  const whole = {
    originationNumber: '+14255550182',
    destinationNumber: '+12125550101',
    messageKeyword: 'JOIN',
    messageBody: 'EXAMPLE',
    inboundMessageId: 'cae173d2',
    previousPublishedMessageId: 'wJalr',
  };

  it('is parsed from the published payload', () => {
    expect(parseSmsReply(whole)).toEqual({
      from: '+14255550182',
      to: '+12125550101',
      body: 'EXAMPLE',
      providerMessageId: 'cae173d2',
      previousProviderMessageId: 'wJalr',
      isStop: false,
    });
  });

  it('may answer no message, have no text and come from a short code', () => {
    const { previousPublishedMessageId, messageBody, ...rest } = whole;
    expect([previousPublishedMessageId, messageBody]).toEqual(['wJalr', 'EXAMPLE']);
    const reply = parseSmsReply({ ...rest, originationNumber: '72727' });
    expect(reply).toMatchObject({ from: '72727', body: '', previousProviderMessageId: null, isStop: false });
  });

  it('is a stop by its keyword if it has no text', () => {
    expect(parseSmsReply({ ...whole, messageBody: ' ', messageKeyword: 'STOP' })?.isStop).toBe(true);
    expect(parseSmsReply({ ...whole, messageBody: 'go on', messageKeyword: 'STOP' })?.isStop).toBe(false);
  });

  it('contains nothing that cannot be stored', () => {
    expect(parseSmsReply({ ...whole, messageBody: 'a\0b\ud800' })?.body).toBe('ab\ufffd');
  });

  it.each(['originationNumber', 'destinationNumber', 'inboundMessageId'])('must have a %s', (name) => {
    expect(parseSmsReply({ ...whole, [name]: undefined })).toBeNull();
    expect(parseSmsReply({ ...whole, [name]: 7 })).toBeNull();
  });
});
