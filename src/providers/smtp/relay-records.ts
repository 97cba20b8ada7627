import type { SmtpVendor } from '../../shared/account-provider.js';
import { parseAddress } from '../../shared/ip-address.js';
import type { RelayRecords } from '../capabilities/identities.js';

/** The SPF mechanisms in the documentation of the vendors. */
const VENDOR_SPF: Record<Exclude<SmtpVendor, 'generic'>, string> = {
  sendgrid: 'include:sendgrid.net',
  mailgun: 'include:mailgun.org',
  postmark: 'include:spf.mtasv.net',
  resend: 'include:amazonses.com',
};

export function relayRecords(relayHost: string, vendor: SmtpVendor): RelayRecords {
  const address = parseAddress(relayHost);
  const host = relayHost.toLowerCase();
  const ownSpf = address ? `${address.kind() === 'ipv4' ? 'ip4' : 'ip6'}:${address.toString()}` : `a:${host}`;
  return { spf: vendor === 'generic' ? ownSpf : VENDOR_SPF[vendor], exchange: address ? null : host };
}
