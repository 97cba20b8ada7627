import { describe, expect, it } from '@jest/globals';

import { SmtpUtf8MissingError } from '../../../platform/smtp/relay-connection.js';
import { relayFailure } from './relay-failure.js';

describe('relayFailure', () => {
  const failure = (fields: object) => relayFailure(Object.assign(new Error('connect 10.0.0.5:25'), fields));

  it.each([
    [
      { code: 'EENVELOPE', response: '550-5.1.1 No such user\r\n550 5.1.1 here' },
      '550-5.1.1 No such user 550 5.1.1 here',
    ],
    [{ code: 'ETIMEDOUT' }, 'the SMTP relay did not answer in time'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'the SMTP relay cannot be used (ECONNREFUSED)'],
    [{ code: 'ETLS' }, 'The TLS handshake with the SMTP relay failed (ETLS)'],
    [
      { code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      'The TLS handshake with the SMTP relay failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    [
      { code: 'EPROTOCOL', command: 'CONN', response: 'SSH-2.0-OpenSSH_9.6' },
      'The SMTP relay does not answer as an SMTP server does',
    ],
    [
      { code: 'ETLS', command: 'STARTTLS', response: '502 5.5.1 not implemented' },
      'The SMTP relay does not offer TLS, and the password is not sent without it unless smtp.allowPlaintext is set',
    ],
    [{ code: 'EENVELOPE', response: `550 ${'a'.repeat(295)}😀` }, `550 ${'a'.repeat(295)}\ufffd`],
    [{}, 'the SMTP relay cannot be used (no error code)'],
  ])('describes %j as %j, without internal addresses', (fields, detail) => {
    expect(failure(fields)).toMatchObject({ kind: 'provider', message: `Provider error: ${detail}` });
  });

  it('says that the relay cannot process the address', () => {
    expect(relayFailure(new SmtpUtf8MissingError()).message).toMatch(
      /^Provider error: The relay does not offer SMTPUTF8/,
    );
  });

  it('truncates a long reply', () => {
    expect(failure({ response: `550 ${'x'.repeat(5_000)}` }).message).toHaveLength('Provider error: '.length + 300);
  });
});
