import { describe, expect, it } from '@jest/globals';

import { normalisePhone } from './phone-number.js';

describe('normalisePhone', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['4155550100', '+14155550100'],
    [' (415) 555-0100 ', '+14155550100'],
    ['415.555.0100', '+14155550100'],
    ['+1 415 555 0100', '+14155550100'],
    ['+44 20 7946 0000', '+442079460000'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+49 30 901820', '+4930901820'],
    ['+15551234567', '+15551234567'],
  ])('reads %s as %s', (text, number) => {
    expect(normalisePhone(text)).toBe(number);
  });

  it.each([
    '',
    '+',
    '911',
    '555-0100',
    '14155550100',
    '1234567890',
    '00442079460000',
    '+1415555010',
    '+141555501000',
    '+999123456789',
    '+12345678901234567',
    '+1415555O1OO',
    '+14155550100x12',
    '+1415555\u00000100',
    '++14155550100',
    'ada@example.com',
    '１２３４５６７８９０',
  ])('does not take %j for a number', (text) => {
    expect(normalisePhone(text)).toBeNull();
  });

  it('leaves a normalised number unchanged', () => {
    for (const number of ['+14155550100', '+442079460000', '+390612345678', '+5511987654321']) {
      expect(normalisePhone(number)).toBe(number);
    }
  });
});
