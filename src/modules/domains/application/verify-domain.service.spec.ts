import { beforeEach, describe, expect, it } from '@jest/globals';

import { DOMAIN_CHECKS_PER_MINUTE } from '../../../config/limits.js';
import type { Clock } from '../../../shared/ports/clock.js';
import { found, missing } from '../domain/check.js';
import { Domain, type Inspection } from '../domain/domain.js';
import { DomainTakenError } from './domain-errors.js';
import { type DnsAnswer, DnsResolver } from './ports/dns-resolver.js';
import type { DomainRepository } from './ports/domain.repository.js';
import { PrepareDomain } from './prepare-domain.service.js';
import type { DomainProvider } from './providers/domain-provider.js';
import type { DomainProviders } from './providers/domain-providers.service.js';
import { VerifyDomain } from './verify-domain.service.js';
import { VerifyRateLimit } from './verify-rate-limit.js';

const START = new Date('2027-01-04T12:00:00Z');
const SES = 'ses:eu-west-1:AKIA1';
const RECORD = { type: 'TXT', name: 'example.com', value: 'v=spf1 ~all', purpose: 'spf' } as const;

/** Holds one domain. Like the database, it refuses a second verified domain of the same name. */
class OneDomain {
  isTaken = false;
  domain: Domain | null = Domain.pending('c00000000000000000abcdefg', 'a', 'example.com', 'smtp', START);

  find(): Promise<Domain | null> {
    return Promise.resolve(this.domain);
  }

  change(_account: string, _id: string, change: (domain: Domain) => void): Promise<Domain | null> {
    if (!this.domain) return Promise.resolve(null);
    const changed = Object.assign(new Domain(), structuredClone({ ...this.domain }));
    change(changed);
    if (changed.isVerified && this.isTaken) return Promise.reject(new DomainTakenError(changed.name));
    this.domain = changed;
    return Promise.resolve(changed);
  }
}

class FakeProvider implements DomainProvider {
  providerKey: DomainProvider['providerKey'] = 'smtp';
  createdIdentity = false;
  undone = 0;
  whileInspecting = (): void => undefined;
  results: Inspection['results'] = { dkim: found(), spf: found(), mailFrom: found() };

  setUp() {
    return Promise.resolve({ records: [RECORD], dkimKey: null, createdIdentity: this.createdIdentity });
  }

  inspect(): Promise<Inspection> {
    this.whileInspecting();
    return Promise.resolve({
      ...{ records: [RECORD], results: this.results },
      ...{ isRecreated: false, createdIdentity: false },
    });
  }

  undo(): Promise<void> {
    this.undone += 1;
    return Promise.resolve();
  }
}

class FakeDns extends DnsResolver {
  dmarc: DnsAnswer = { values: ['v=DMARC1; p=none'] };

  txt = () => Promise.resolve(this.dmarc);
  mx = () => Promise.resolve({ values: [] });
  cname = () => Promise.resolve({ values: [] });
}

describe('VerifyDomain', () => {
  let dns: FakeDns;
  let domains: OneDomain;
  let provider: FakeProvider;
  let service: VerifyDomain;
  let now: Date;

  beforeEach(() => {
    now = START;
    dns = new FakeDns();
    domains = new OneDomain();
    provider = new FakeProvider();
    const repository = domains as unknown as DomainRepository;
    const clock = { now: () => now } as unknown as Clock;
    const prepare = new PrepareDomain(repository, clock);
    const rateLimit = new VerifyRateLimit(clock);
    const providers = { forAccount: () => Promise.resolve(provider) };
    service = new VerifyDomain(repository, providers as unknown as DomainProviders, prepare, rateLimit, dns, clock);
  });

  const verify = () => service.verify('a', 'c00000000000000000abcdefg');

  it('registers the domain with the provider and records the results', async () => {
    expect(await verify()).toMatchObject({ status: 'verified', verifiedAt: START, records: [RECORD] });
  });

  it('keeps the status pending while a record is missing', async () => {
    provider.results = { ...provider.results, spf: missing('TXT is missing') };
    expect(await verify()).toMatchObject({ status: 'pending', dkimStatus: 'verified', spfStatus: 'pending' });
  });

  it('records the DMARC record, and keeps it while DNS does not answer', async () => {
    expect((await verify()).dmarc).toEqual({ status: 'found', policy: 'none', detail: null, checkedAt: START });
    dns.dmarc = { error: 'time-out' };
    now = new Date(START.getTime() + 1_000);
    const detail = 'DNS did not answer: time-out (_dmarc.example.com)';
    expect((await verify()).dmarc).toEqual({ status: 'found', policy: 'none', detail, checkedAt: now });
    dns.dmarc = { values: [] };
    expect(await verify()).toMatchObject({ status: 'verified', dmarc: { status: 'missing', policy: null } });
  });

  it('registers a domain of another provider again and restarts its checks', async () => {
    await verify();
    provider.providerKey = SES;
    provider.createdIdentity = true;
    provider.results = { ...provider.results, dkim: missing('CNAME is missing') };
    expect(await verify()).toMatchObject({ status: 'pending', providerKey: SES, identityCreatedIn: [SES] });
  });

  it('records nothing if the domain was registered with another provider meanwhile', async () => {
    provider.whileInspecting = () => {
      domains.domain!.setUp(SES, { records: [RECORD], dkimKey: null, createdIdentity: false }, START);
    };
    expect(await verify()).toMatchObject({ status: 'pending', providerKey: SES });
  });

  it('fails the DKIM check if another account has verified the domain', async () => {
    domains.isTaken = true;
    const domain = await verify();
    expect(domain).toMatchObject({ status: 'failed', spfStatus: 'verified', verifiedAt: null });
    expect(domain.check('dkim').detail).toBe('example.com belongs to another account of this installation');
  });

  it('deletes the new identity of a domain that was deleted while it was registered', async () => {
    const { domain } = domains;
    provider.createdIdentity = true;
    domains.domain = null;
    expect(await service.check(domain!)).toBeNull();
    expect(provider.undone).toBe(1);
  });

  it('limits the checks that each account requests in a minute', async () => {
    for (let i = 0; i < DOMAIN_CHECKS_PER_MINUTE; i++) await verify();
    now = new Date(START.getTime() + 20_000);
    await expect(verify()).rejects.toMatchObject({ kind: 'limit_exceeded', retryAfterSeconds: 40 });
    expect(await service.verify('another account', 'c00000000000000000abcdefg')).toBeDefined();
    now = new Date(START.getTime() + 60_000);
    expect(await verify()).toMatchObject({ status: 'verified' });
  });

  it('does not find a domain that was deleted while it was checked', async () => {
    provider.whileInspecting = () => {
      domains.domain = null;
    };
    await expect(verify()).rejects.toMatchObject({ kind: 'not_found' });
  });
});
