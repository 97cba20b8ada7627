import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import { HttpFailure } from '../../shared/http-failure.js';
import { isPublicAddress } from './public-address.js';

/** The IP addresses of a host name, best first. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** The second try has twice the time. */
const FIRST_TRY_MS = 1_500;
const TRIES = 2;

/**
 * Queries name servers directly: the system lookup runs on few threads, which names with silent servers would block for
 * everybody. Private networks need the system lookup, because their names may be in a hosts file or a search domain.
 */
export function defaultLookup(allowPrivate: boolean): Lookup {
  if (allowPrivate) return async (hostname) => (await systemLookup(hostname, { all: true })).map((a) => a.address);
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers.find(isRejected) as PromiseRejectedResult).reason as Error;
    return addresses;
  };
}

const isRejected = (answer: PromiseSettledResult<unknown>) => answer.status === 'rejected';

/**
 * The lookup for new connections. They go to the addresses that were checked, so a name that resolves differently the
 * next time gains nothing. A name with any address that is not public is refused. Node does not call it for IP
 * addresses. `allowedBy` is the setting that would allow it.
 */
export const checkedLookup =
  (lookup: Lookup, allowPrivate: boolean, allowedBy: string): LookupFunction =>
  (hostname, { all, family }, callback) => {
    const check = async () => {
      const found = await lookup(hostname);
      if (!allowPrivate && !found.every(isPublicAddress))
        throw new HttpFailure(
          'refused_address',
          `The host resolves to a private, loopback or otherwise reserved address, which needs ${allowedBy}`,
        );
      const addresses = found.map((address) => ({ address, family: isIP(address) }));
      const fitting = addresses.filter((address) => !family || address.family === Number(String(family).slice(-1)));
      const [first] = fitting;
      if (!first) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
      return { first, fitting };
    };
    check().then(
      ({ first, fitting }) => {
        if (all) callback(null, fitting);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as NodeJS.ErrnoException, '');
      },
    );
  };
