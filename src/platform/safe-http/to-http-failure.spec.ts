import { describe, expect, it } from '@jest/globals';

import { LeaseEndedError } from '../../shared/submission-check.js';
import { HttpFailure } from '../../shared/http-failure.js';
import { toHttpFailure } from './to-http-failure.js';

const errorWith = (code: string) => Object.assign(new Error('internal detail'), { code });

describe('toHttpFailure', () => {
  it.each([
    ['ECONNREFUSED', 'network', 'The host refused the connection'],
    ['UND_ERR_SOCKET', 'network', 'The connection was closed before the answer was complete'],
    ['ENOTFOUND', 'network', 'The host name does not resolve'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'The host does not accept connections in time'],
    ['UND_ERR_HEADERS_OVERFLOW', 'response_too_large', 'The headers of the answer are too large'],
    ['HPE_INVALID_CONSTANT', 'network', 'The answer is not HTTP'],
    ['CERT_HAS_EXPIRED', 'network', 'The certificate of the host is not valid (CERT_HAS_EXPIRED)'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'network', 'The host does not speak TLS as it should'],
    ['EMFILE', 'network', 'The connection failed'],
  ])('describes %s', (code, reason, message) => {
    const error = errorWith(code);
    expect(toHttpFailure(error)).toMatchObject({ name: 'HttpFailure', reason, message, cause: error });
  });

  it('returns other errors unchanged', () => {
    for (const error of [new HttpFailure('timeout', 'x'), new LeaseEndedError(), errorWith('UND_ERR_INVALID_ARG')])
      expect(toHttpFailure(error)).toBe(error);
  });
});
