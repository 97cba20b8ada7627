import { parseAddress } from '../../../shared/ip-address.js';

/** https://datatracker.ietf.org/doc/html/rfc7208#section-4.5 */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text);

/** The parts of an SPF record that permit sending. */
export interface SpfRecord {
  /** Mechanisms with the qualifier `+`, lower-cased, in order, up to `all`. */
  passes: string[];
  /** The domains whose records it uses, by `include` or `redirect`. */
  includes: string[];
}

/** `owner`: the name of the record, to which `a` and `mx` without a name refer. */
export function parseSpf(text: string, owner: string): SpfRecord {
  const terms = text.toLowerCase().split(' ').filter(Boolean).slice(1);
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  const reached = all < 0 ? terms : terms.slice(0, all);
  const passes = reached
    .filter((term) => !/^[?~-]/.test(term) && !/^[a-z][\w.-]*=/.test(term))
    .map((term) => term.replace(/^\+/, '').replace(/\.$/, ''))
    .map((term) => (term === 'a' || term === 'mx' ? `${term}:${owner.toLowerCase()}` : term));
  const included = passes.flatMap((term) => /^include:(.+)$/.exec(term)?.[1] ?? []);
  const redirected = all < 0 ? terms.flatMap((term) => /^redirect=(.+?)\.?$/.exec(term)?.[1] ?? []) : [];
  return { passes, includes: [...included, ...redirected].filter((name) => !name.includes('%')) };
}

/** Whether the record itself permits the mechanism; included records are not considered. */
export const permits = ({ passes }: SpfRecord, mechanism: string): boolean =>
  passes.some((term) => term === mechanism || isInRange(mechanism, term));

function isInRange(mechanism: string, term: string): boolean {
  const wanted = parseRange(mechanism);
  const range = parseRange(term);
  if (!wanted || !range || wanted.network.kind() !== range.network.kind()) return false;
  const mostBits = range.network.toByteArray().length * 8;
  const bits = range.bits ?? mostBits;
  return bits <= mostBits && wanted.network.match(range.network, bits);
}

function parseRange(term: string) {
  const [, address, bits] = /^ip[46]:([^/]+)(?:\/(\d{1,3}))?$/.exec(term) ?? [];
  const network = address === undefined ? null : parseAddress(address);
  return network && { network, bits: bits === undefined ? null : Number(bits) };
}
