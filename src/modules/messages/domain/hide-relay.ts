import { parseAddress } from '../../../shared/ip-address.js';

const HIDDEN = '[relay]';
/** The longest address, including the port. */
const MAX_ADDRESS_LENGTH = 60;

/** Fields of opens and clicks: they come from the recipient's client, not from a relay. */
const VISIT_FIELDS = new Set(['ip', 'url', 'userAgent', 'link']);

/**
 * Removes the addresses of relays from an error message: IP addresses with or without a port, host names that failed to
 * resolve or did not match their certificate, and the given hosts.
 */
export function hideRelay(text: string, hosts: readonly string[]): string {
  const withoutAddresses = text
    .replace(/(?<=\b(?:getaddrinfo|query[A-Za-z0-9]{0,10}) [A-Z_]{1,20} )\S+/g, HIDDEN)
    .replace(/(?<=altnames: ).*/s, HIDDEN)
    .replace(/[\w.:]+/g, hideAddress);
  return hosts.reduce((hidden, host) => replaceIgnoringCase(hidden, host), withoutAddresses);
}

/** Hides relays in the data of an event, at any depth, except in the fields of opens and clicks. */
export const hideRelayIn = (data: Record<string, unknown>, hosts: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, VISIT_FIELDS.has(name) ? value : hideInValue(value, hosts)]),
  );

function hideInValue(value: unknown, hosts: readonly string[]): unknown {
  if (typeof value === 'string') return hideRelay(value, hosts);
  if (Array.isArray(value)) return value.map((item) => hideInValue(item, hosts));
  if (typeof value === 'object' && value !== null) return hideRelayIn(value as Record<string, unknown>, hosts);
  return value;
}

/** A full stop or colon may end the sentence, and the port may follow an IPv6 address without brackets. */
function hideAddress(word: string): string {
  if (word.length > MAX_ADDRESS_LENGTH) return word;
  const end = /[.:]$/.exec(word)?.[0] ?? '';
  const bare = end === '' ? word : word.slice(0, -1);
  const beforePort = bare.slice(0, Math.max(0, bare.lastIndexOf(':')));
  return (parseAddress(bare) ?? parseAddress(beforePort)) ? `${HIDDEN}${end}` : word;
}

function replaceIgnoringCase(text: string, host: string): string {
  if (host === '') return text;
  const [lower, wanted] = [text.toLowerCase(), host.toLowerCase()];
  // Lower-casing changes the length of some texts; positions in one are then wrong in the other.
  if (lower.length !== text.length) return text.replaceAll(host, HIDDEN);
  let result = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    result += text.slice(from, at) + HIDDEN;
    from = at + wanted.length;
  }
  return result + text.slice(from);
}
