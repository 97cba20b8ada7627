import type { SmtpVendor } from '../../../shared/account-provider.js';
import { parseAddress } from '../../../shared/ip-address.js';

export const RECORD_TYPES = ['TXT', 'MX', 'CNAME'] as const;
export const RECORD_PURPOSES = ['dkim', 'spf', 'mail_from'] as const;

/** A DNS record for the owner of a domain to publish. */
export interface DnsRecord {
  type: (typeof RECORD_TYPES)[number];
  /** Fully qualified, without a trailing dot. */
  name: string;
  value: string;
  /** Set for MX records only. */
  priority?: number;
  purpose: (typeof RECORD_PURPOSES)[number];
}

/** The properties of an SMTP relay that determine DNS records. */
export interface RelayIdentity {
  host: string;
  vendor: SmtpVendor;
}

/** From the documentation of the vendors. */
const VENDOR_SPF: Record<Exclude<SmtpVendor, 'generic'>, string> = {
  sendgrid: 'include:sendgrid.net',
  mailgun: 'include:mailgun.org',
  postmark: 'include:spf.mtasv.net',
  resend: 'include:amazonses.com',
};

export const SES_SPF = 'include:amazonses.com';

const PRIORITY = 10;

export const dkimName = (name: string, selector: string): string => `${selector}._domainkey.${name}`;

/** The default MAIL FROM domain, the domain of the envelope sender: SES receives its bounces. */
export const sesMailFrom = (name: string): string => `mail.${name}`;

/** The SPF mechanism that permits the relay to send for a domain; null without a relay. */
export function spfMechanism(relay: RelayIdentity | null): string | null {
  if (!relay) return null;
  if (relay.vendor !== 'generic') return VENDOR_SPF[relay.vendor];
  const address = parseAddress(relay.host);
  if (!address) return `a:${relay.host.toLowerCase()}`;
  return `${address.kind() === 'ipv4' ? 'ip4' : 'ip6'}:${address.toString()}`;
}

/**
 * For a domain whose messages the service signs. The From address is also the envelope sender, so the domain gets the
 * bounces.
 */
export function smtpRecords(
  name: string,
  { selector, publicKey }: { selector: string; publicKey: string },
  relay: RelayIdentity | null,
): DnsRecord[] {
  const exchange = relay && !parseAddress(relay.host) ? relay.host.toLowerCase() : name;
  return [
    { type: 'TXT', name: dkimName(name, selector), value: `v=DKIM1; k=rsa; p=${publicKey}`, purpose: 'dkim' },
    { type: 'TXT', name, value: spfRecord(spfMechanism(relay)), purpose: 'spf' },
    { type: 'MX', name, value: exchange, priority: PRIORITY, purpose: 'mail_from' },
  ];
}

/** For a domain whose messages SES signs (Easy DKIM), with a MAIL FROM domain. */
export function sesRecords(
  name: string,
  region: string,
  { tokens, hostedZone }: { tokens: readonly string[]; hostedZone: string | null },
  mailFrom: string,
): DnsRecord[] {
  const zone = hostedZone ?? 'dkim.amazonses.com';
  const exchange = `feedback-smtp.${region}.amazonses.com`;
  return [
    ...tokens.map((token): DnsRecord => ({
      type: 'CNAME',
      name: dkimName(name, token),
      value: `${token}.${zone}`,
      purpose: 'dkim',
    })),
    { type: 'MX', name: mailFrom, value: exchange, priority: PRIORITY, purpose: 'mail_from' },
    { type: 'TXT', name: mailFrom, value: spfRecord(SES_SPF), purpose: 'spf' },
  ];
}

const spfRecord = (mechanism: string | null) => ['v=spf1', ...(mechanism ? [mechanism] : []), '~all'].join(' ');
