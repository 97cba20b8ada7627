import type { SmtpConnection } from './smtp-connection.js';

/**
 * Headers that pass our message id to an SMTP vendor, which includes it in its events, and switch the vendor's own
 * tracking on or off. Resend includes every header in its events and has none for tracking. Unknown relays get none.
 * Sources: SendGrid "Building an X-SMTPAPI header", Mailgun "Sending via SMTP", Postmark "Send with SMTP".
 */
export function vendorHeaders({ vendor, tracking }: SmtpConnection, messageId: string): Record<string, string> {
  const tracked = tracking === 'provider';
  switch (vendor) {
    case 'sendgrid': {
      const filter = { settings: { enable: tracked ? 1 : 0 } };
      const filters = { clicktrack: filter, opentrack: filter };
      return { 'X-SMTPAPI': JSON.stringify({ unique_args: { mid: messageId }, filters }) };
    }
    case 'mailgun':
      return {
        'X-Mailgun-Variables': JSON.stringify({ mid: messageId }),
        'X-Mailgun-Track': tracked ? 'yes' : 'no',
      };
    case 'postmark':
      return {
        'X-PM-Metadata-mid': messageId,
        'X-PM-TrackOpens': String(tracked),
        'X-PM-TrackLinks': tracked ? 'HtmlAndText' : 'None',
      };
    case 'resend':
      return { 'X-Message-Ref': messageId };
    case 'generic':
      return {};
  }
}
