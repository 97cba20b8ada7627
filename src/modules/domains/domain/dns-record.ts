import { dkimName, type DnsRecord, MX_PRIORITY, spfRecord } from '../../../shared/dns-record.js';

/** The default MAIL FROM domain, the domain of the envelope sender: the provider receives its bounces. */
export const defaultMailFrom = (name: string): string => `mail.${name}`;

/**
 * The records of a domain whose messages the service signs. The From address is also the envelope sender, so the domain
 * gets the bounces. `relay`: null without a relay.
 */
export const signedRecords = (
  name: string,
  { selector, publicKey }: { selector: string; publicKey: string },
  relay: { spf: string; exchange: string | null } | null,
): DnsRecord[] => [
  { type: 'TXT', name: dkimName(name, selector), value: `v=DKIM1; k=rsa; p=${publicKey}`, purpose: 'dkim' },
  { type: 'TXT', name, value: spfRecord(relay?.spf ?? null), purpose: 'spf' },
  { type: 'MX', name, value: relay?.exchange ?? name, priority: MX_PRIORITY, purpose: 'mail_from' },
];
