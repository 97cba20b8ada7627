import { describe, expect, it } from '@jest/globals';

import type { SmtpProvider, SmtpVendor, Tracking } from '../../../shared/account-provider.js';
import { vendorHeaders } from './vendor-headers.js';

const headers = (vendor: SmtpVendor, tracking: Tracking) => vendorHeaders({ vendor, tracking } as SmtpProvider);

describe('the headers for a vendor', () => {
  it.each<Tracking>(['native', 'off'])('switch its tracking off where tracking is %s', (tracking) => {
    expect(JSON.parse(headers('sendgrid', tracking)['X-SMTPAPI']!)).toEqual({
      filters: { clicktrack: { settings: { enable: 0 } }, opentrack: { settings: { enable: 0 } } },
    });
    expect(headers('mailgun', tracking)).toEqual({ 'X-Mailgun-Track': 'no' });
    expect(headers('postmark', tracking)).toEqual({ 'X-PM-TrackOpens': 'false', 'X-PM-TrackLinks': 'None' });
  });

  it('switch its tracking on where the provider tracks', () => {
    expect(headers('sendgrid', 'provider')['X-SMTPAPI']).toContain('"enable":1');
    expect(headers('mailgun', 'provider')).toEqual({ 'X-Mailgun-Track': 'yes' });
    expect(headers('postmark', 'provider')).toEqual({ 'X-PM-TrackOpens': 'true', 'X-PM-TrackLinks': 'HtmlAndText' });
  });

  it.each<SmtpVendor>(['generic', 'resend'])('are none for %s', (vendor) => {
    expect(headers(vendor, 'provider')).toEqual({});
  });
});
