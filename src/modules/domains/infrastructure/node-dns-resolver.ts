import { Resolver } from 'node:dns/promises';

import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { type DnsAnswer, DnsResolver } from '../application/ports/dns-resolver.js';

/** The resolver doubles the time-out for the second attempt. */
const FIRST_TRY_MS = 1_500;
const TRIES = 2;

/** The name does not exist (NXDOMAIN), or it has no record of the type (NODATA). */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);

const ERRORS: Partial<Record<string, string>> = {
  ETIMEOUT: 'time-out',
  ESERVFAIL: 'SERVFAIL',
  EREFUSED: 'REFUSED',
  ECONNREFUSED: 'the resolver cannot be reached',
};

@Injectable()
export class NodeDnsResolver extends DnsResolver {
  private readonly resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });

  constructor({ dnsServers }: Config) {
    super();
    if (dnsServers) this.resolver.setServers(dnsServers);
  }

  txt(name: string): Promise<DnsAnswer> {
    return query(async () => (await this.resolver.resolveTxt(name)).map((strings) => strings.join('')));
  }

  mx(name: string): Promise<DnsAnswer> {
    return query(async () => {
      const records = await this.resolver.resolveMx(name);
      return records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
    });
  }

  cname(name: string): Promise<DnsAnswer> {
    return query(() => this.resolver.resolveCname(name));
  }
}

async function query(resolve: () => Promise<string[]>): Promise<DnsAnswer> {
  try {
    return { values: await resolve() };
  } catch (error) {
    const { code = 'no error code' } = error as NodeJS.ErrnoException;
    return NO_RECORDS.has(code) ? { values: [] } : { error: ERRORS[code] ?? code };
  }
}
