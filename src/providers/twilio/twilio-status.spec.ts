import { describe, expect, it } from '@jest/globals';

import { suppressionCause } from '../events/provider-event.js';
import { parseStatus } from './twilio-status.js';

const ID = 'c0123456789abcdefghijklmn';
const form = (status: string, more: Record<string, string> = {}) =>
  new URLSearchParams({ MessageStatus: status, MessageSid: 'SM1', To: '+14155550100', From: '+12065550100', ...more });

describe('A status callback of Twilio', () => {
  it.each(['sent', 'delivered'])('becomes an event: %s', (status) => {
    expect(parseStatus(form(status), ID)).toEqual({
      ...{ type: status, messageId: ID, providerMessageId: 'SM1', occurredAt: null, recipient: '+14155550100' },
      ...{ identity: ['status', 'SM1', status], data: {} },
    });
  });

  it.each([
    ['undelivered', '21610', 'failed', 'opted_out', 'sms_opt_out'],
    ['failed', '30005', 'bounced', 'invalid_number', 'bounced'],
    ['failed', '21211', 'bounced', 'invalid_number', 'bounced'],
    ['failed', '21614', 'bounced', 'invalid_number', 'bounced'],
    ['undelivered', '30003', 'failed', 'undelivered', null],
    ['undelivered', '30007', 'failed', 'undelivered', null],
    ['canceled', '', 'failed', 'undelivered', null],
  ])('says why it failed: %s with %s', (status, ErrorCode, type, reason, cause) => {
    const event = parseStatus(form(status, { ErrorCode }), null)!;
    expect(event).toMatchObject({ type, data: { reason, errorCode: ErrorCode } });
    expect(suppressionCause(event)).toBe(cause);
  });

  it('is identified by message and status', () => {
    const [one, again] = ['30003', '30004'].map((ErrorCode) => parseStatus(form('failed', { ErrorCode }), ID));
    expect(one?.identity).toEqual(again?.identity);
    expect(one?.identity).not.toEqual(parseStatus(form('undelivered'), ID)?.identity);
    expect(one?.identity).not.toEqual(parseStatus(form('failed', { MessageSid: 'SM2' }), ID)?.identity);
  });

  it.each(['accepted', 'scheduled', 'queued', 'sending'])('says nothing new: %s', (status) => {
    expect(parseStatus(form(status), ID)).toBeNull();
  });

  it('of a kind that the service does not know is kept as it is', () => {
    const event = parseStatus(form('partially_delivered'), ID);
    expect(event).toMatchObject({ type: 'unknown', messageId: ID, data: { reportedType: 'partially_delivered' } });
  });

  it('must name a message and its status', () => {
    expect(parseStatus(form(''), ID)).toBeNull();
    expect(parseStatus(form('delivered', { MessageSid: '' }), ID)).toBeNull();
  });
});
