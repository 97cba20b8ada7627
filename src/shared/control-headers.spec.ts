import { describe, expect, it } from '@jest/globals';

import { isNotPassedOn, isVendorControl } from './control-headers.js';

describe('The headers that no mail may bring along', () => {
  it.each([
    ...['X-SES-CONFIGURATION-SET', 'x-smtpapi', 'X-Mailgun-Drop-Message', 'X-PM-Message-Stream', 'X-Message-Ref'],
    ...['X-MC-Subaccount', 'X-MSYS-API', 'X-Mailin-custom', 'X-Sib-Sandbox', 'X-MJ-CustomID', 'X-Mailjet-Campaign'],
  ])('%s controls a vendor', (name) => {
    expect(isVendorControl(name)).toBe(true);
  });

  it.each([
    ...['Sender', 'Return-Path', 'Received', 'DKIM-Signature', 'ARC-Seal', 'Resent-From', 'resent-bcc', 'Bcc'],
    ...['Apparently-To', 'Delivered-To', 'X-Original-To', 'X-Envelope-To', 'X-Rcpt-To', 'X-Forwarded-To'],
  ])('%s names others than the mail shows', (name) => {
    expect(isNotPassedOn(name)).toBe(true);
  });

  it.each(['X-MC', 'X-Mailer', 'X-Sibling', 'X-MJ', 'Resent', 'Original-Message-ID', 'X-Entity-Ref-ID'])(
    '%s is kept',
    (name) => {
      expect([isVendorControl(name), isNotPassedOn(name)]).toEqual([false, false]);
    },
  );
});
