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
    ['an operator over the opt-out sync', cause('manual', 'dashboard'), cause('sms_opt_out', 'sms_sync')],
    ['a reply over the opt-out sync', cause('sms_opt_out', 'provider'), cause('sms_opt_out', 'sms_sync')],
  ])('prefers %s, and not the reverse', (_, stronger, weaker) => {
    expect(takesPrecedence(stronger, weaker)).toBe(true);
    expect(takesPrecedence(weaker, stronger)).toBe(false);
  });

  it.each([
    ['the same cause', cause('bounced', 'provider', 'a'), cause('bounced', 'provider', 'a')],
    ['the same sync', cause('sms_opt_out', 'sms_sync'), cause('sms_opt_out', 'sms_sync')],
    ['an entry of an operator', cause('complained', 'provider'), cause('manual', 'dashboard')],
    ['an entry of an import', cause('complained', 'provider'), cause('unsubscribed', 'import')],
    ['a bounce by an operator', cause('manual', 'api'), cause('bounced', 'provider')],
    ['an opt-out by SMS', cause('sms_opt_out', 'provider', 'a'), cause('sms_opt_out', 'provider', 'b')],
  ])('does not replace %s', (_, given, existing) => {
    expect(takesPrecedence(given, existing)).toBe(false);
  });
});
