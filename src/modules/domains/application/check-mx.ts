import { type Finding, found, missing, unknown } from '../domain/check.js';
import { noAnswer } from './no-answer.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** Whether bounces can come back to the domain: it has some mail exchanger, whichever. */
export async function checkMx(dns: DnsResolver, name: string): Promise<Finding> {
  const answer = await dns.mx(name);
  if ('trouble' in answer) return unknown(noAnswer(name, answer.trouble));
  if (answer.values.length === 0) return missing(`MX at ${name} is missing: bounces could not come back`);
  if (answer.values.some((exchange) => exchange !== '')) return found();
  return missing(`MX at ${name} says that it takes no mail (RFC 7505): bounces could not come back`);
}
