import { type CheckResult, found, missing, unknown } from '../domain/check.js';
import { dkimFault } from '../domain/dkim-record.js';
import { type Dmarc, dmarcName, missingDmarc, organisationOf, readDmarc, UNKNOWN_DMARC } from '../domain/dmarc.js';
import type { DnsRecord } from '../../../shared/dns-record.js';
import type { DnsResolver } from './ports/dns-resolver.js';

export const dnsUnavailable = (name: string, error: string): string => `DNS did not answer: ${error} (${name})`;

/** Checks that a TXT record at the selector announces the key. */
export async function checkDkim(dns: DnsResolver, selectorName: string, publicKey: string): Promise<CheckResult> {
  const answer = await dns.txt(selectorName);
  if ('error' in answer) return unknown(dnsUnavailable(selectorName, answer.error));
  const [fault, ...others] = answer.values.map((text) => dkimFault(text, publicKey));
  if (fault === undefined) return missing(`TXT at ${selectorName} is missing`);
  if (fault === null || others.includes(null)) return found();
  return missing(`TXT at ${selectorName} ${fault}. Publish the record as it is listed`);
}

/** Checks that bounces can be returned to the domain: it has at least one mail exchanger. */
export async function checkMx(dns: DnsResolver, name: string): Promise<CheckResult> {
  const answer = await dns.mx(name);
  if ('error' in answer) return unknown(dnsUnavailable(name, answer.error));
  if (answer.values.length === 0) return missing(`MX at ${name} is missing: bounces could not come back`);
  if (answer.values.some((exchange) => exchange !== '')) return found();
  return missing(`MX at ${name} says that it takes no mail (RFC 7505): bounces could not come back`);
}

/** Looks for the DMARC record of the domain itself, and for that of the organisation that applies otherwise. */
export async function findDmarc(dns: DnsResolver, domain: string): Promise<Dmarc> {
  const organisation = organisationOf(domain);
  const names = [domain, ...(organisation === null ? [] : [organisation])].map(dmarcName);
  const answers = await Promise.all(names.map((name) => dns.txt(name)));
  for (const [i, answer] of answers.entries()) {
    const name = names[i] ?? '';
    if ('error' in answer) return { ...UNKNOWN_DMARC, detail: dnsUnavailable(name, answer.error) };
    const dmarc = readDmarc(answer.values, name, i > 0);
    if (dmarc) return dmarc;
  }
  return missingDmarc(domain);
}

/** A record that is not published as it should be, and the reason. */
export interface RecordFault {
  /** False if DNS did not answer. */
  isCertain: boolean;
  detail: string;
}

/** The first fault of the CNAME and MX records of this purpose, certain ones first; null if there is none. */
export async function findRecordFault(
  dns: DnsResolver,
  records: readonly DnsRecord[],
  purpose: DnsRecord['purpose'],
): Promise<RecordFault | null> {
  const ofPurpose = records.filter((record) => record.purpose === purpose);
  const faults = (await Promise.all(ofPurpose.map((record) => faultOf(dns, record)))).filter((fault) => fault !== null);
  return faults.find(({ isCertain }) => isCertain) ?? faults[0] ?? null;
}

async function faultOf(dns: DnsResolver, { type, name, value, priority }: DnsRecord): Promise<RecordFault | null> {
  const answer = await (type === 'MX' ? dns.mx(name) : dns.cname(name));
  if ('error' in answer) return { isCertain: false, detail: dnsUnavailable(name, answer.error) };
  const wanted = [...(priority === undefined ? [] : [priority]), value].join(' ');
  const [only, ...others] = answer.values;
  if (only === undefined) return certain(`${type} at ${name} is missing: publish \`${wanted}\``);
  if (others.length > 0) return certain(`${type} at ${name} has ${others.length + 1} values: leave only \`${wanted}\``);
  return isSameName(only, value) ? null : certain(`${type} at ${name} is \`${only}\` instead of \`${value}\``);
}

const certain = (detail: string): RecordFault => ({ isCertain: true, detail });

const isSameName = (a: string, b: string) => bare(a) === bare(b);
const bare = (name: string) => name.toLowerCase().replace(/\.$/, '');
