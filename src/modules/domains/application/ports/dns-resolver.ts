/** The values of all records of a name and type, none if there are no such records; or why DNS did not answer. */
export type DnsAnswer = { values: readonly string[] } | { error: string };

/** Queries DNS without a cache. Never throws, and answers within a few seconds. */
export abstract class DnsResolver {
  /** One string for each record, its character-strings joined. */
  abstract txt(name: string): Promise<DnsAnswer>;

  /** The exchanges, ordered by priority; the null MX of RFC 7505 is an empty string. */
  abstract mx(name: string): Promise<DnsAnswer>;

  abstract cname(name: string): Promise<DnsAnswer>;
}
