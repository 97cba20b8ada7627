import { describe, expect, it } from '@jest/globals';

import { suppressionCause } from '../events/provider-event.js';
import { parseSmsReceipt } from './sms-receipt.js';

const receipt = (status: string, providerResponse?: string, notification: object = { messageId: 'm' }) =>
  parseSmsReceipt({ notification, delivery: { destination: '+14155550100', providerResponse, mcc: 0 }, status });

describe('A delivery receipt of an SMS', () => {
  it('becomes a delivery', () => {
    const delivered = receipt('SUCCESS', 'Message has been accepted by phone carrier', {
      messageId: 'm',
      timestamp: '2016-06-28 00:40:34.558',
    });
    expect(delivered).toEqual({
      type: 'delivered',
      messageId: null,
      providerMessageId: 'm',
      occurredAt: new Date('2016-06-28T00:40:34.558Z'),
      recipient: '+14155550100',
      identity: ['receipt', 'm', 'SUCCESS'],
      data: { providerResponse: 'Message has been accepted by phone carrier', mcc: 0 },
    });
  });

  it.each([
    ['+14155550100 is opted out', 'failed', 'opted_out', 'sms_opt_out'],
    ['Phone number is opted out', 'failed', 'opted_out', 'sms_opt_out'],
    ['Invalid phone number', 'bounced', 'invalid_number', 'bounced'],
    ['Phone has blocked SMS', 'failed', 'undelivered', null],
    ['Phone is currently unreachable/unavailable', 'failed', 'undelivered', null],
    ['Blocked as spam by phone carrier', 'failed', 'undelivered', null],
    ['This delivery would exceed max price', 'failed', 'undelivered', null],
    ['Unknown error attempting to reach phone', 'failed', 'undelivered', null],
    [undefined, 'failed', 'undelivered', null],
  ])('says why it did not: %s', (response, type, reason, cause) => {
    const failed = receipt('FAILURE', response);
    expect(failed).toMatchObject({ type, occurredAt: null, data: { reason } });
    expect(suppressionCause(failed!)).toBe(cause);
  });

  it('is identified by message and status, and not by its time', () => {
    const [one, other] = ['2016-06-28 00:40:34', undefined].map((timestamp) =>
      receipt('FAILURE', 'x', { messageId: 'm', timestamp }),
    );
    expect(one?.identity).toEqual(other?.identity);
    expect(one?.identity).not.toEqual(receipt('SUCCESS', 'x')?.identity);
  });

  it('must name its message', () => {
    expect(receipt('SUCCESS', 'x', {})).toBeNull();
    expect(receipt('PENDING')).toMatchObject({ type: 'unknown', providerMessageId: 'm' });
  });
});
