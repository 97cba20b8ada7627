import { parse } from 'tldts';

import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, isEmailAddress } from '../../../shared/email-address.js';

/**
 * Top-level domains that are not in public DNS: those of https://www.iana.org/assignments/special-use-domain-names, and
 * ICANN's `internal`.
 */
const SPECIAL_USE = new Set(['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/**
 * Parses the name of a domain that can be owned: lower-cased, in punycode, without a trailing dot. Throws `invalid` for
 * addresses, public suffixes (including those of hosting providers, such as github.io) and names outside public DNS.
 */
export function requireDomainName(text: string): string {
  const given = text.trim();
  const name = given.includes('@') ? '' : emailDomain(`x@${given}`).replace(/\.$/, '');
  if (!isEmailAddress(`x@${name}`)) throw DomainError.invalid('name must be a domain such as example.com');
  if (SPECIAL_USE.has(name.slice(name.lastIndexOf('.') + 1))) {
    throw DomainError.invalid(`name must be a domain of the public DNS, which ${name} is not`);
  }
  if (parse(name, { allowPrivateDomains: true }).domain === null) {
    throw DomainError.invalid(`name must be a domain of its own: ${name} is a public suffix`);
  }
  return name;
}

/**
 * The domain that was registered, in whose zone the records of `name` usually are: `example.co.uk` for
 * `mail.example.co.uk`. Unlike organisationOf in dmarc.ts it is never null.
 */
export const registeredDomainOf = (name: string): string => parse(name).domain ?? name;
