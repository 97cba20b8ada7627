/** The values of all records of the name and type, none where there is none; or why there was no answer. */
export type DnsAnswer = { values: readonly string[] } | { trouble: string };

/** Asks DNS, now. Never throws, and answers within some seconds. */
export abstract class DnsResolver {
  /** A text for each record, its character-strings joined. */
  abstract txt(name: string): Promise<DnsAnswer>;

  /** The exchanges, by priority; the null MX of RFC 7505 is an empty one. */
  abstract mx(name: string): Promise<DnsAnswer>;

  abstract cname(name: string): Promise<DnsAnswer>;
}
