import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/**
 * Public addresses of services inside a cloud:
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const METADATA = ['168.63.129.16'];
/** All global unicast addresses that IANA allocates: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is a loopback address, including `::ffff:127.0.0.1`. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';

/**
 * Whether an IP address belongs to the public internet. False for all other ranges (private, loopback, link-local,
 * CGNAT, multicast, reserved, …), for IPv6 with an embedded IPv4 address (mapped, NAT64, 6to4, Teredo), and for other
 * text.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}
