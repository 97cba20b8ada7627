import type { DnsRecord } from '../domain/dns-record.js';
import { noAnswer } from './no-answer.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** What DNS itself says of records that should be there: that one is wrong, or that it does not answer. */
export interface DnsFault {
  isCertain: boolean;
  detail: string;
}

/** The first fault of the CNAME and MX records of this purpose, certain ones first; null if all are as they should be. */
export async function findFault(
  dns: DnsResolver,
  records: readonly DnsRecord[],
  purpose: DnsRecord['purpose'],
): Promise<DnsFault | null> {
  const ofPurpose = records.filter((record) => record.purpose === purpose);
  const faults = (await Promise.all(ofPurpose.map((record) => faultOf(dns, record)))).filter((fault) => fault !== null);
  return faults.find(({ isCertain }) => isCertain) ?? faults[0] ?? null;
}

async function faultOf(dns: DnsResolver, { type, name, value, priority }: DnsRecord): Promise<DnsFault | null> {
  const answer = await (type === 'MX' ? dns.mx(name) : dns.cname(name));
  if ('trouble' in answer) return { isCertain: false, detail: noAnswer(name, answer.trouble) };
  const wanted = [...(priority === undefined ? [] : [priority]), value].join(' ');
  const [only, ...others] = answer.values;
  if (only === undefined) return certain(`${type} at ${name} is missing: publish \`${wanted}\``);
  if (others.length > 0) return certain(`${type} at ${name} has ${others.length + 1} values: leave only \`${wanted}\``);
  return isSameName(only, value) ? null : certain(`${type} at ${name} is \`${only}\` instead of \`${value}\``);
}

const certain = (detail: string): DnsFault => ({ isCertain: true, detail });

const isSameName = (a: string, b: string) => bare(a) === bare(b);
const bare = (name: string) => name.toLowerCase().replace(/\.$/, '');
