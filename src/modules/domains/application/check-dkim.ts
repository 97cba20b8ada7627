import { type Finding, found, missing, unknown } from '../domain/check.js';
import { dkimFault } from '../domain/dkim-record.js';
import { noAnswer } from './no-answer.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** Whether one of the texts at the selector announces the key. */
export async function checkDkim(dns: DnsResolver, selectorName: string, publicKey: string): Promise<Finding> {
  const answer = await dns.txt(selectorName);
  if ('trouble' in answer) return unknown(noAnswer(selectorName, answer.trouble));
  const [fault, ...others] = answer.values.map((text) => dkimFault(text, publicKey));
  if (fault === undefined) return missing(`TXT at ${selectorName} is missing`);
  if (fault === null || others.includes(null)) return found();
  return missing(`TXT at ${selectorName} ${fault}. Publish the record as it is listed`);
}
