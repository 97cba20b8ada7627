import { isVerified } from '../../components/is-verified';
import { useDomains, useSenderIdentities } from '../../components/use-sender-identities';

/** The verified senders and domains of the account, as far as one page of each shows. */
export function useSenders() {
  const { data: senders } = useSenderIdentities();
  const { data: domains } = useDomains();
  return {
    addresses: senders?.items.filter(isVerified).map(({ email }) => email) ?? [],
    domains: domains?.items.filter(isVerified).map(({ name }) => name) ?? [],
    /** The DMARC records of all domains, verified or not, by name. */
    dmarc: new Map(domains?.items.map(({ name, dmarc }) => [name, dmarc])),
    isLoaded: senders !== undefined && domains !== undefined,
    /** Whether there are more than those listed. */
    areMore: (senders?.totalPages ?? 1) > 1 || (domains?.totalPages ?? 1) > 1,
  };
}

export type Senders = ReturnType<typeof useSenders>;

/** The domain of an address, lower-cased and in punycode; null if there is none. */
export function domainOf(address: string): string | null {
  const domain = /@([^@\s]+)$/.exec(address.trim())?.[1];
  if (domain === undefined) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}
