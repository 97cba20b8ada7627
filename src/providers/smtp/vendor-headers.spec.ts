import { describe, expect, it } from '@jest/globals';

import type { SmtpVendor, Tracking } from '../../shared/account-provider.js';
import type { SmtpConnection } from './smtp-connection.js';
import { vendorHeaders } from './vendor-headers.js';

const ID = 'c0123456789abcdefghijklmn';
const headers = (vendor: SmtpVendor, tracking: Tracking) => vendorHeaders({ vendor, tracking } as SmtpConnection, ID);

describe('vendorHeaders', () => {
  it.each<Tracking>(['native', 'off'])('switch the vendor tracking off for tracking %s', (tracking) => {
    expect(JSON.parse(headers('sendgrid', tracking)['X-SMTPAPI']!)).toMatchObject({
      filters: { clicktrack: { settings: { enable: 0 } }, opentrack: { settings: { enable: 0 } } },
    });
    expect(headers('mailgun', tracking)).toMatchObject({ 'X-Mailgun-Track': 'no' });
    expect(headers('postmark', tracking)).toMatchObject({ 'X-PM-TrackOpens': 'false', 'X-PM-TrackLinks': 'None' });
  });

  it('switch the vendor tracking on for tracking provider', () => {
    expect(headers('sendgrid', 'provider')['X-SMTPAPI']).toContain('"enable":1');
    expect(headers('mailgun', 'provider')).toMatchObject({ 'X-Mailgun-Track': 'yes' });
    expect(headers('postmark', 'provider')).toMatchObject({
      'X-PM-TrackOpens': 'true',
      'X-PM-TrackLinks': 'HtmlAndText',
    });
  });

  it('carry our message id in the form of each vendor', () => {
    expect(JSON.parse(headers('sendgrid', 'off')['X-SMTPAPI']!)).toMatchObject({ unique_args: { mid: ID } });
    expect(JSON.parse(headers('mailgun', 'off')['X-Mailgun-Variables']!)).toEqual({ mid: ID });
    expect(headers('postmark', 'off')).toMatchObject({ 'X-PM-Metadata-mid': ID });
    expect(headers('resend', 'provider')).toEqual({ 'X-Message-Ref': ID });
  });

  it('are empty for an unknown relay', () => {
    expect(headers('generic', 'provider')).toEqual({});
  });
});
