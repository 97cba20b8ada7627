import type { Schemas } from '../../api/types';

export type DnsRecord = Schemas['DnsRecordResponse'];

/** The maximum bytes of a character-string of a TXT record; the values are ASCII. */
const MAX_STRING = 255;
const TTL_SECONDS = 3_600;

/**
 * The name as most DNS panels want it: relative to the registered domain, and `@` for that domain itself. A name
 * outside of it stays as it is.
 */
export function relativeName(name: string, registeredDomain: string): string {
  if (name === registeredDomain) return '@';
  return name.endsWith(`.${registeredDomain}`) ? name.slice(0, -registeredDomain.length - 1) : name;
}

/** The records in the format of a zone file (RFC 1035), with full names, so that they fit into any zone. */
export const zoneFile = (records: readonly DnsRecord[]): string =>
  records.map((record) => `${record.name}.\t${TTL_SECONDS}\tIN\t${record.type}\t${valueInZone(record)}\n`).join('');

function valueInZone({ type, value, priority }: DnsRecord): string {
  if (type === 'TXT') return quoted(value);
  const name = value.endsWith('.') ? value : `${value}.`;
  return priority === undefined ? name : `${priority} ${name}`;
}

/** Long values are split into several strings, which readers join. */
function quoted(value: string): string {
  const escaped = (text: string) => text.replace(/["\\]/g, '\\$&');
  const strings: string[] = [];
  for (let at = 0; at < value.length; at += MAX_STRING) strings.push(`"${escaped(value.slice(at, at + MAX_STRING))}"`);
  return strings.length === 0 ? '""' : strings.join(' ');
}

/**
 * The values in DNS that compete with the record: a TXT name may hold other texts, but for SPF only the SPF records
 * count.
 */
export function relevantValues(record: DnsRecord, values: readonly string[]): readonly string[] {
  return record.purpose === 'spf' ? values.filter((value) => /^v=spf1(?:\s|$)/i.test(value)) : values;
}

/** Whether DNS has exactly this value. Names are compared without case and final dot, texts without extra spaces. */
export function hasValue({ type, value }: DnsRecord, values: readonly string[]): boolean {
  const plain = (text: string) =>
    type === 'TXT' ? text.trim().replace(/\s+/g, ' ') : text.toLowerCase().replace(/\.$/, '');
  return values.some((found) => plain(found) === plain(value));
}
