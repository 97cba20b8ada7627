import { describe, expect, it } from '@jest/globals';

import { PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';
import { toDeliveryError } from './smtp-error.js';

describe('What a relay’s failure means', () => {
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
});
