import type { SmtpProvider } from '../../../shared/account-provider.js';

/**
 * The headers by which an SMTP vendor is told whether to track the mail itself. Resend and unknown relays have none.
 * Sources: SendGrid "SMTP filters", Mailgun "Sending via SMTP", Postmark "Send with SMTP".
 */
export function vendorHeaders({ vendor, tracking }: SmtpProvider): Record<string, string> {
  const tracked = tracking === 'provider';
  switch (vendor) {
    case 'sendgrid': {
      const filter = { settings: { enable: tracked ? 1 : 0 } };
      return { 'X-SMTPAPI': JSON.stringify({ filters: { clicktrack: filter, opentrack: filter } }) };
    }
    case 'mailgun':
      return { 'X-Mailgun-Track': tracked ? 'yes' : 'no' };
    case 'postmark':
      return { 'X-PM-TrackOpens': String(tracked), 'X-PM-TrackLinks': tracked ? 'HtmlAndText' : 'None' };
    case 'generic':
    case 'resend':
      return {};
  }
}
