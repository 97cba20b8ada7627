import { describe, expect, it } from '@jest/globals';

import { HardBounceError, PermanentDeliveryError, TransientDeliveryError } from '../../shared/delivery-error.js';
import { toDeliveryError } from './smtp-error.js';

describe('an error of a relay', () => {
  it.each([
    [{ responseCode: 550, code: 'EENVELOPE', response: '550 5.1.1 no such user' }, PermanentDeliveryError],
    [{ responseCode: 554, code: 'EMESSAGE', response: '554 refused' }, PermanentDeliveryError],
    [{ responseCode: 421, code: 'ECONNECTION', response: '421 later' }, TransientDeliveryError],
    [{ responseCode: 450, code: 'EENVELOPE', response: '450 greylisted' }, TransientDeliveryError],
    [{ responseCode: 535, code: 'EAUTH', response: '535 bad password' }, TransientDeliveryError],
    [
      { responseCode: 554, code: 'EPROTOCOL', command: 'CONN', response: '554 your IP is listed' },
      TransientDeliveryError,
    ],
    [
      { responseCode: 530, code: 'EENVELOPE', command: 'MAIL FROM', response: '530 log in first' },
      TransientDeliveryError,
    ],
    [{ code: 'ETIMEDOUT' }, TransientDeliveryError],
    [{ code: 'ECONNECTION' }, TransientDeliveryError],
    [{ code: 'EDNS' }, TransientDeliveryError],
  ])('%j is a %p', (failure, kind) => {
    const error = toDeliveryError(Object.assign(new Error('it failed'), failure));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toBe('response' in failure ? failure.response : 'it failed');
  });

  const refused = (response: string, command = 'RCPT TO') =>
    toDeliveryError(
      Object.assign(new Error('it failed'), {
        responseCode: Number(response.slice(0, 3)),
        code: 'EENVELOPE',
        command,
        response,
      }),
    );

  it('has no characters in its message that the database cannot store', () => {
    expect(refused('550 5.1.1 no such\0user').message).toBe('550 5.1.1 no suchuser');
  });

  it.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])(
    'RCPT refused with %s is a hard bounce',
    (status) => {
      for (const code of [550, 551, 553, 554])
        expect(refused(`${code} ${status} <ada@example.org>: refused`)).toBeInstanceOf(HardBounceError);
      expect(refused(`550-${status} no such user\n550 ${status} https://help.example`)).toBeInstanceOf(HardBounceError);
      expect(refused(`550 ${status}`)).toBeInstanceOf(HardBounceError);
    },
  );

  it.each([
    ['550 No such user', 'RCPT TO'],
    ['550 5.7.1 relaying denied', 'RCPT TO'],
    ['552 5.2.2 mailbox full', 'RCPT TO'],
    ['550 5.1.0 address rejected', 'RCPT TO'],
    ['550 5.1.8 bad sender', 'RCPT TO'],
    ['550 5.1.11 unheard of', 'RCPT TO'],
    ['550 5.1.1.1 no code', 'RCPT TO'],
    ['550 refused, see 5.1.1', 'RCPT TO'],
    ['550 4.1.1 for now', 'RCPT TO'],
    ['550 5.1.1 no such sender', 'MAIL FROM'],
    ['550 5.1.1 no such user', 'DATA'],
    ['550 5.1.1 no such user', ''],
  ])('%j to %j is no hard bounce', (response, command) => {
    const error = refused(response, command);
    expect(error).toBeInstanceOf(PermanentDeliveryError);
    expect(error).not.toBeInstanceOf(HardBounceError);
  });

  it.each(['450 4.1.1 not now', '450 5.1.1 not now'])('%j is transient', (response) => {
    expect(refused(response)).toBeInstanceOf(TransientDeliveryError);
  });
});
