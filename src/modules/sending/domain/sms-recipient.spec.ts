import { describe, expect, it } from '@jest/globals';

import { parseSmsRecipient } from './sms-recipient.js';

describe('parseSmsRecipient', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['4155550100', '+14155550100'],
    ['(415) 555-0100', '+14155550100'],
    [' +44 7400 123456 ', '+447400123456'],
    ['+491701234567', '+491701234567'],
    ['+33612345678', '+33612345678'],
    ['+5511987654321', '+5511987654321'],
    ['+8613800138000', '+8613800138000'],
    ['+15551234567', '+15551234567'],
  ])('parses %j as %s', (text, number) => {
    expect(parseSmsRecipient(text)).toEqual({ number });
  });

  it.each([
    ['', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['ada@example.org', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['14155550100', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['+1415555010', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['+999123456789', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['+44 7400 1234567890', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['+14155550100x12', 'must be a phone number in E.164 format or of 10 digits (US)'],
    ['911', 'is a short code: SMS go to phone numbers only'],
    ['72727', 'is a short code: SMS go to phone numbers only'],
    ['+247365', 'is a short code: SMS go to phone numbers only'],
    ['+442079460000', 'is a landline, which receives no SMS'],
    ['+4930901820', 'is a landline, which receives no SMS'],
    ['+33142685300', 'is a landline, which receives no SMS'],
    ['+19005550199', 'is a premium-rate number'],
    ['9005550199', 'is a premium-rate number'],
    ['+449098790000', 'is a premium-rate number'],
    ['+18005550199', 'is a toll-free number, which receives no SMS'],
    ['+447600123456', 'is a pager, which receives no SMS'],
    ['+443001234567', 'is a company number, which receives no SMS'],
  ])('refuses %j', (text, fault) => {
    expect(parseSmsRecipient(text)).toEqual({ fault });
  });
});
