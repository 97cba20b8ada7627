import { describe, expect, it } from '@jest/globals';

import { readRow } from './import-row.js';

const row = { line: 1, reason: '', note: '' };

describe('readRow', () => {
  it('keeps addresses as given and defaults to a manual suppression without a note', () => {
    expect(readRow({ ...row, address: 'Ada@BÜCHER.example' })).toEqual({
      channel: 'email',
      address: 'Ada@BÜCHER.example',
      reason: 'manual',
      note: null,
    });
    expect(readRow({ ...row, address: '(415) 555-0100', reason: 'sms_opt_out', note: 'STOP' })).toEqual({
      channel: 'sms',
      address: '(415) 555-0100',
      reason: 'sms_opt_out',
      note: 'STOP',
    });
  });

  const badAddress = 'address must be an email address or a phone number in E.164 format or of 10 digits (US)';
  const badReason = 'reason must be one of unsubscribed, bounced, complained, manual, sms_opt_out';
  it.each([
    [{ address: '' }, badAddress],
    [{ address: 'ada' }, badAddress],
    [{ address: 'ada@' }, badAddress],
    [{ address: 'a\u0000@example.com' }, badAddress],
    [{ address: 'Ada <ada@example.com>' }, badAddress],
    [{ address: 'ada@example.com', reason: 'spite' }, badReason],
    [{ address: 'ada@example.com', reason: 'Manual' }, badReason],
    [{ address: 'ada@example.com', note: 'x'.repeat(501) }, 'note must not be longer than 500 characters'],
    [{ address: 'ada@example.com', note: 'a\u0000' }, 'note holds a character that cannot be stored'],
  ])('refuses %.60j', (given, fault) => {
    expect(readRow({ ...row, ...given })).toEqual({ fault });
  });
});
