import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IPv4 or IPv6 address with or without a port (`1.2.3.4:80`, `[::1]:80`). IPv4 mapped into IPv6 becomes IPv4.
 * Null for anything else: ranges, host names, abbreviated or octal IPv4.
 */
export function parseAddress(text: string): Address | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) !== 0 && !bare.includes('%') ? ipaddr.process(bare) : null;
}

/** The network assumed to belong to one client: the IPv4 address itself, or the /64 network of an IPv6 address. */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (!address) return text.slice(0, MAX_NAME_LENGTH);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** The limit of other names that a proxy uses for clients, longer than any address. */
const MAX_NAME_LENGTH = 64;

/** Whether both are spellings of the same address. */
export function isSameAddress(a: string, b: string): boolean {
  const [first, second] = [parseAddress(a), parseAddress(b)];
  return first !== null && second !== null && first.toString() === second.toString();
}

/** Parses a CIDR range (`10.0.0.0/8`, `2001:db8::/32`); null for anything else. */
export function parseRange(text: string): [Address, number] | null {
  const [address = '', bits = '', ...rest] = text.split('/');
  const parsed = rest.length === 0 && /^\d{1,3}$/.test(bits) && !/[[\]]/.test(address) ? parseAddress(address) : null;
  // A range has no port. The prefix length of IPv4 mapped into IPv6 includes the 96 bits of the mapping.
  if (parsed === null || /^[\d.]+:\d+$/.test(address)) return null;
  const length = Number(bits) - (parsed.kind() === 'ipv4' && address.includes(':') ? 96 : 0);
  return length >= 0 && length <= (parsed.kind() === 'ipv4' ? 32 : 128) ? [parsed, length] : null;
}

/** Whether the address equals the given address or lies in the given range. */
export function isWithin(addressOrRange: string, address: string): boolean {
  const range = parseRange(addressOrRange);
  if (range === null) return isSameAddress(addressOrRange, address);
  const parsed = parseAddress(address);
  return parsed?.kind() === range[0].kind() && parsed.match(range);
}

/** Whether `parseAddress` accepts the text and its port, if any, is from 1 to 65535. */
export function isServerAddress(text: string): boolean {
  const port = /^(?:\[.+\]|[\d.]+):(\d+)$/.exec(text)?.[1];
  return parseAddress(text) !== null && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
