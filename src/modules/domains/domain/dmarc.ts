import { parse } from 'tldts';

export const DMARC_STATUSES = ['found', 'missing', 'unknown'] as const;
export type DmarcStatus = (typeof DMARC_STATUSES)[number];

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** The DMARC record that applies to a domain, as it was last found. `unknown`: not looked up yet, or no answer yet. */
export interface Dmarc {
  status: DmarcStatus;
  /** Null unless the record was found. */
  policy: DmarcPolicy | null;
  /** The fault, and how to correct it. */
  detail: string | null;
}

export const UNKNOWN_DMARC: Dmarc = { status: 'unknown', policy: null, detail: null };

export const dmarcName = (domain: string): string => `_dmarc.${domain}`;

/**
 * The domain whose record applies to those below it that have none:
 * https://datatracker.ietf.org/doc/html/rfc7489#section-6.6.3. Null for that domain itself.
 */
export function organisationOf(domain: string): string | null {
  const organisation = parse(domain).domain;
  return organisation === domain ? null : organisation;
}

/** `texts`: all TXT records at a name. Null if none of them is a DMARC record. */
export function readDmarc(texts: readonly string[], name: string, isInherited: boolean): Dmarc | null {
  const records = texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text));
  const [record, ...others] = records;
  if (record === undefined) return null;
  if (others.length > 0)
    return missing(`TXT at ${name} holds ${records.length} records with \`v=DMARC1\`: receivers use none of them`);
  const policy = policyOf(record, isInherited);
  return policy === null
    ? missing(`TXT at ${name} has no valid policy: it needs \`p=none\`, \`p=quarantine\` or \`p=reject\``)
    : { status: 'found', policy, detail: isInherited ? `It is inherited from ${name}` : null };
}

export const missingDmarc = (domain: string): Dmarc =>
  missing(`TXT at ${dmarcName(domain)} is missing: publish \`v=DMARC1; p=none\` or a stricter policy`);

const missing = (detail: string): Dmarc => ({ status: 'missing', policy: null, detail });

/** Tags and policies are compared without case. */
function policyOf(record: string, isInherited: boolean): DmarcPolicy | null {
  const tags = new Map(
    record.split(';').map((part) => {
      const [tag = '', value = ''] = part.split('=', 2);
      return [tag.trim().toLowerCase(), value.trim().toLowerCase()] as const;
    }),
  );
  const known = (value: string | undefined) => DMARC_POLICIES.find((policy) => policy === value) ?? null;
  const own = known(tags.get('p'));
  return isInherited && own !== null ? (known(tags.get('sp')) ?? own) : own;
}
