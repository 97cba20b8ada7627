import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { attemptHeaders } from './attempt-headers.js';
import { newSigningSecret } from './webhook-endpoint.js';

const ATTEMPT = { id: 'c1', number: 2, event: 'sms.inbound', body: '{"a":"ä"}' };
const NOW = new Date('2026-11-21T10:00:00.999Z');
const AT = 1_795_255_200;

const expected = (secret: string) =>
  `v1=${createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.from(`${AT}.${ATTEMPT.body}`))
    .digest('base64')}`;

describe('attemptHeaders', () => {
  it('are the documented ones, with a signature over timestamp and body by the whole secret', () => {
    const current = newSigningSecret();
    expect(attemptHeaders('Service', ATTEMPT, { current, previous: null }, NOW)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': 'sms.inbound',
      'X-Service-Delivery': 'c1',
      'X-Service-Timestamp': String(AT),
      'X-Service-Signature': expected(current),
      'X-Service-Attempt': '2',
    });
  });

  it('carry the signature by the previous secret in a separate header', () => {
    const headers = attemptHeaders('Acme', ATTEMPT, { current: 'new', previous: 'old' }, NOW);
    expect(headers).toMatchObject({
      'X-Acme-Signature': expected('new'),
      'X-Acme-Signature-Previous': expected('old'),
    });
  });
});
