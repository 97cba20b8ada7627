import { describe, expect, it } from '@jest/globals';

import { RefusedRelayError } from './connect-to-relay.js';
import { describeRelayError, explainRelayError, storableReply } from './describe-relay-error.js';

const errorWith = (details: object, message = 'it failed') => Object.assign(new Error(message), details);

describe('describeRelayError', () => {
  it('quotes an SMTP reply', () => {
    expect(describeRelayError(errorWith({ response: '550 5.1.1 unknown user' }))).toBe('550 5.1.1 unknown user');
    expect(describeRelayError(errorWith({ response: '550-first\n550 last' }))).toBe('550-first\n550 last');
  });

  it('does not quote another protocol', () => {
    const error = errorWith({ response: 'HTTP/1.1 200 OK internal secret' });
    expect(describeRelayError(error)).toBe('The SMTP relay does not answer as an SMTP server does');
  });

  it('reduces TLS errors to their code', () => {
    const error = errorWith({ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'CN=internal.example');
    expect(describeRelayError(error)).toBe(
      'The TLS handshake with the SMTP relay failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
  });

  it('explains missing TLS and refused addresses', () => {
    const refused = errorWith({ command: 'STARTTLS', response: '502 not implemented' });
    expect(explainRelayError(refused)).toMatch(/does not offer TLS/);
    expect(explainRelayError(new RefusedRelayError())).toMatch(/private, loopback or otherwise reserved/);
  });

  it('falls back to the message of other errors', () => {
    const error = errorWith({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'connect ECONNREFUSED 192.0.2.1:25');
    expect(explainRelayError(error)).toBeNull();
    expect(describeRelayError(error)).toBe('connect ECONNREFUSED 192.0.2.1:25');
  });
});

describe('storableReply', () => {
  it('is short and can be stored', () => {
    expect(storableReply(`250 a\0b\ud800`)).toBe('250 ab\ufffd');
    expect(storableReply('x'.repeat(5_000))).toHaveLength(1_000);
  });
});
