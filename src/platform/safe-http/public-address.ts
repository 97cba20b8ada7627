import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** Public by their number, but answered inside a cloud only: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const METADATA = ['168.63.129.16'];
/** All of IPv6 that is handed out for use on the internet: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is one of the machine itself; `::ffff:127.0.0.1` too. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';

/**
 * Whether an IP address is one of the open internet. False for every other range (private, loopback, link-local, CGNAT,
 * multicast, reserved, …), for IPv6 that carries an IPv4 address (mapped, NAT64, 6to4, Teredo), whichever it is, and for
 * what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}
