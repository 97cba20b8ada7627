import { describe, expect, it } from '@jest/globals';

import { parseSmsRecipient } from '../../src/modules/sending/domain/sms-recipient.js';
import { addressOf, indexOf } from './addresses.js';

describe('A recipient', () => {
  it.each(['email', 'sms'] as const)('identifies its send: %s', (channel) => {
    for (const index of [0, 7, 123_456, 9_999_999]) expect(indexOf(addressOf(channel, index))).toBe(index);
  });

  it('is a valid phone number for SMS', () => {
    for (const index of [0, 7, 123_456, 9_999_999])
      expect(parseSmsRecipient(addressOf('sms', index))).not.toHaveProperty('fault');
  });

  it('belongs to no send if it is not from the run', () => {
    expect(['r@example.org', '+12065550100', 'recipient-1@example.org.evil'].map(indexOf)).toEqual([-1, -1, -1]);
  });
});
