import { describe, expect, it } from '@jest/globals';

import type { SuppressionReason, SuppressionSource } from './suppression.js';
import { takesPrecedence } from './suppression-precedence.js';

const cause = (reason: SuppressionReason, source: SuppressionSource, messageLogId: string | null = null) => ({
  reason,
  source,
  messageLogId,
});

describe('takesPrecedence', () => {
  it.each([
    ['a complaint over a bounce', cause('complained', 'provider'), cause('bounced', 'provider')],
    ['a bounce over an unsubscription', cause('bounced', 'provider'), cause('unsubscribed', 'form')],
    ['the earlier message', cause('bounced', 'provider', 'a'), cause('bounced', 'provider', 'b')],
    ['a message over none', cause('bounced', 'provider', 'a'), cause('bounced', 'provider')],
    ['one click over the form', cause('unsubscribed', 'one_click', 'a'), cause('unsubscribed', 'form', 'a')],
    [
      'an opt-out by SMS in reply to the earlier message',
      cause('sms_opt_out', 'provider', 'a'),
      cause('sms_opt_out', 'provider', 'b'),
    ],
    ['an operator over the opt-out sync', cause('manual', 'dashboard'), cause('sms_opt_out', 'sms_sync')],
    ['a reply over the opt-out sync', cause('sms_opt_out', 'provider'), cause('sms_opt_out', 'sms_sync')],
    ['a complaint over an operator', cause('complained', 'provider'), cause('manual', 'dashboard')],
    ['a reply over an operator', cause('sms_opt_out', 'provider'), cause('unsubscribed', 'import')],
    [
      'one click over an operator with the same reason',
      cause('unsubscribed', 'one_click'),
      cause('unsubscribed', 'api'),
    ],
  ])('prefers %s, and not the reverse', (_, stronger, weaker) => {
    expect(takesPrecedence(stronger, weaker)).toBe(true);
    expect(takesPrecedence(weaker, stronger)).toBe(false);
  });

  it.each([
    ['the same cause', cause('bounced', 'provider', 'a'), cause('bounced', 'provider', 'a')],
    ['the same sync', cause('sms_opt_out', 'sms_sync'), cause('sms_opt_out', 'sms_sync')],
    [
      'a complaint that an operator entered by an unsubscription',
      cause('unsubscribed', 'form'),
      cause('complained', 'import'),
    ],
    ['an operator by another one', cause('complained', 'import'), cause('manual', 'dashboard')],
    ['a bounce by an operator', cause('complained', 'import'), cause('bounced', 'provider')],
    ['a complaint by the opt-out sync', cause('sms_opt_out', 'sms_sync'), cause('complained', 'provider')],
  ])('does not replace %s', (_, given, existing) => {
    expect(takesPrecedence(given, existing)).toBe(false);
  });
});
