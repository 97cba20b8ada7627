import { type Finding, found, missing, unknown } from '../domain/check.js';
import { isSpf, letsSend, parseSpf, type SpfRecord } from '../domain/spf.js';
import { noAnswer } from './no-answer.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** https://datatracker.ietf.org/doc/html/rfc7208#section-4.6.4 */
const MAX_LOOK_UPS = 10;

/** Whether the SPF record of the name holds the mechanism, itself or in what it includes. Null: it need only exist. */
export async function checkSpf(dns: DnsResolver, name: string, mechanism: string | null): Promise<Finding> {
  const answer = await dns.txt(name);
  if ('trouble' in answer) return unknown(noAnswer(name, answer.trouble));
  const [record, ...others] = answer.values.filter(isSpf);
  if (record === undefined) return missing(`TXT at ${name} is missing \`v=spf1\`: there is no SPF record`);
  if (others.length > 0) {
    return missing(
      `TXT at ${name} holds ${others.length + 1} records with \`v=spf1\`: join them to one (RFC 7208 §4.5)`,
    );
  }
  return mechanism === null ? found() : search(dns, name, parseSpf(record, name), mechanism);
}

/** Level by level; the look-ups of a level run at the same time. */
async function search(dns: DnsResolver, name: string, record: SpfRecord, mechanism: string): Promise<Finding> {
  const asked = new Set([name]);
  let trouble: string | undefined;
  for (let level = [record]; level.length > 0;) {
    if (level.some((taken) => letsSend(taken, mechanism))) return found();
    const next = new Set(level.flatMap(({ takesIn }) => takesIn).filter((target) => !asked.has(target)));
    for (const target of next) asked.add(target);
    if (asked.size - 1 > MAX_LOOK_UPS) {
      const tooMany = `takes more than ${MAX_LOOK_UPS} look-ups (RFC 7208 §4.6.4)`;
      return missing(`TXT at ${name} is missing \`${mechanism}\`, and what it includes ${tooMany}`);
    }
    const answers = await Promise.all([...next].map((target) => takeIn(dns, target)));
    trouble ??= answers.find((one): one is string => typeof one === 'string');
    level = answers.flatMap((one) => (typeof one === 'string' ? [] : one));
  }
  return trouble === undefined ? missing(`TXT at ${name} is missing \`${mechanism}\``) : unknown(trouble);
}

/** The SPF record of a domain that another takes in: none where it is no valid one. A text is why there was no answer. */
async function takeIn(dns: DnsResolver, target: string): Promise<SpfRecord[] | string> {
  const answer = await dns.txt(target);
  if ('trouble' in answer) return noAnswer(target, answer.trouble);
  const records = answer.values.filter(isSpf);
  return records.length === 1 ? records.map((text) => parseSpf(text, target)) : [];
}
