import { type CheckResult, found, missing, unknown } from '../domain/check.js';
import { isSpf, parseSpf, permits, type SpfRecord } from '../domain/spf.js';
import { dnsUnavailable } from './dns-checks.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** https://datatracker.ietf.org/doc/html/rfc7208#section-4.6.4 */
const MAX_LOOK_UPS = 10;

/** Checks that the SPF record, or one that it includes, has the mechanism. Null: the record only has to exist. */
export async function checkSpf(dns: DnsResolver, name: string, mechanism: string | null): Promise<CheckResult> {
  const answer = await dns.txt(name);
  if ('error' in answer) return unknown(dnsUnavailable(name, answer.error));
  const [record, ...others] = answer.values.filter(isSpf);
  if (record === undefined) return missing(`TXT at ${name} is missing \`v=spf1\`: there is no SPF record`);
  if (others.length > 0) {
    return missing(
      `TXT at ${name} holds ${others.length + 1} records with \`v=spf1\`: join them to one (RFC 7208 §4.5)`,
    );
  }
  return mechanism === null ? found() : search(dns, name, parseSpf(record, name), mechanism);
}

/** Searches breadth-first; the look-ups of one level run concurrently. */
async function search(dns: DnsResolver, name: string, record: SpfRecord, mechanism: string): Promise<CheckResult> {
  const visited = new Set([name]);
  let dnsError: string | undefined;
  for (let level = [record]; level.length > 0;) {
    if (level.some((included) => permits(included, mechanism))) return found();
    const next = new Set(level.flatMap(({ includes }) => includes).filter((target) => !visited.has(target)));
    for (const target of next) visited.add(target);
    if (visited.size - 1 > MAX_LOOK_UPS) {
      const tooMany = `takes more than ${MAX_LOOK_UPS} look-ups (RFC 7208 §4.6.4)`;
      return missing(`TXT at ${name} is missing \`${mechanism}\`, and what it includes ${tooMany}`);
    }
    const answers = await Promise.all([...next].map((target) => lookUpIncluded(dns, target)));
    dnsError ??= answers.find((answer): answer is string => typeof answer === 'string');
    level = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer));
  }
  return dnsError === undefined ? missing(`TXT at ${name} is missing \`${mechanism}\``) : unknown(dnsError);
}

/** The SPF record of an included domain, or none if it has no valid one. A string says why DNS did not answer. */
async function lookUpIncluded(dns: DnsResolver, target: string): Promise<SpfRecord[] | string> {
  const answer = await dns.txt(target);
  if ('error' in answer) return dnsUnavailable(target, answer.error);
  const records = answer.values.filter(isSpf);
  return records.length === 1 ? records.map((text) => parseSpf(text, target)) : [];
}
