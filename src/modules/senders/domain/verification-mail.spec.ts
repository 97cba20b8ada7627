import { describe, expect, it } from '@jest/globals';

import { mailboxOf } from './verification-mail.js';

describe('mailboxOf', () => {
  it.each([
    ['ceo@example.com', 'ceo@example.com'],
    ['ceo+1@example.com', 'ceo@example.com'],
    ['ceo+a+b@example.com', 'ceo@example.com'],
    ['ceo+@example.com', 'ceo@example.com'],
    ['+ceo@example.com', '+ceo@example.com'],
    ['c.e.o@example.com', 'c.e.o@example.com'],
  ])('of %s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});
