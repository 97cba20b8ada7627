import { describe, expect, it } from '@jest/globals';

import { parseSmsReply } from '../sns/two-way-sms.js';
import { distinctStopWords, requestIn, requestOf, stopWordFault } from './sms-reply.js';

describe('A stop word', () => {
  it.each([
    'STOP',
    'Stop all',
    'revoke',
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
    expect(requestIn(text)).toBe('stop');
  });

  it.each(['', ' ', '.', 'START', 'UNSTOP', 'stop it', 'please stop', 'STOP 2', 'nonstop', 'the end', 'help', 'JOIN'])(
    'is not %j',
    (text) => {
      expect(requestIn(text)).not.toBe('stop');
    },
  );
});

describe('What a reply asks for', () => {
  const OWN = ['Stopp', 'kein Interesse', 'रोकें', 'iptal', '2'];
  const asks = (body: string, request = requestIn(body)) =>
    requestOf({ body, request, from: '', to: '', providerMessageId: '', previousProviderMessageId: null }, OWN);

  it.each(['Stopp!\n', ' STOPP ', 'ſtopp', 'kein  interesse.', 'KEIN INTERESSE', 'रोकें', 'रोकें!', 'İPTAL', '2.'])(
    'is to stop, by the word %j of the account',
    (body) => {
      expect(asks(body)).toBe('stop');
    },
  );

  it('is to stop if the provider says so, whatever the text is', () => {
    expect(asks('', 'stop')).toBe('stop');
    expect(asks('start', 'stop')).toBe('stop');
  });

  it.each(['START', 'start.', ' Unstop\n'])('is to start again, by %j', (body) => {
    expect(asks(body)).toBe('start');
  });

  it.each(['', '!', 'रक', '22', 'stopp it', 'start now', 'YES', 'help', 'kein', 'restart'])(
    'is nothing by %j',
    (body) => {
      expect(asks(body)).toBeNull();
    },
  );
});

describe('A stop word of an account', () => {
  it.each(['Stopp', 'ARRÊT.', 'रोकें', '2', 'kein Interesse'])('can be %j', (text) => {
    expect(stopWordFault(text)).toBeNull();
  });

  it.each(['START', 'unstop!', 'Help', 'info', 'yes', 'ＨＥＬＰ'])('cannot be %j, which has a meaning', (text) => {
    expect(stopWordFault(text)).toBe('is a word with another meaning');
  });

  it.each(['', '  ', '!', '🛑', '\u0301'])('cannot be %j, which no reply is', (text) => {
    expect(stopWordFault(text)).toBe('must have a letter or digit');
  });

  it('counts once, as it was written first', () => {
    expect(distinctStopWords([' Stopp ', 'STOPP!', 'Ende', 'stopp'])).toEqual(['Stopp', 'Ende']);
  });
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
      request: null,
    });
  });

  it('may answer no message, have no text and come from a short code', () => {
    const { previousPublishedMessageId, messageBody, ...rest } = whole;
    expect([previousPublishedMessageId, messageBody]).toEqual(['wJalr', 'EXAMPLE']);
    const reply = parseSmsReply({ ...rest, originationNumber: '72727' });
    expect(reply).toMatchObject({ from: '72727', body: '', previousProviderMessageId: null, request: null });
  });

  it('is a stop by its keyword if it has no text', () => {
    expect(parseSmsReply({ ...whole, messageBody: ' ', messageKeyword: 'STOP' })?.request).toBe('stop');
    expect(parseSmsReply({ ...whole, messageBody: 'go on', messageKeyword: 'STOP' })?.request).toBeNull();
  });

  it('contains nothing that cannot be stored', () => {
    expect(parseSmsReply({ ...whole, messageBody: 'a\0b\ud800' })?.body).toBe('ab\ufffd');
  });

  it.each(['originationNumber', 'destinationNumber', 'inboundMessageId'])('must have a %s', (name) => {
    expect(parseSmsReply({ ...whole, [name]: undefined })).toBeNull();
    expect(parseSmsReply({ ...whole, [name]: 7 })).toBeNull();
  });
});
