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

export const MX_PRIORITY = 10;

export const dkimName = (name: string, selector: string): string => `${selector}._domainkey.${name}`;

export const spfRecord = (mechanism: string | null): string =>
  ['v=spf1', ...(mechanism ? [mechanism] : []), '~all'].join(' ');
