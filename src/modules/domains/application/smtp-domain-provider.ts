import { type DkimKey, newDkimKey } from '../domain/dkim-key.js';
import { dkimName, type RelayIdentity, smtpRecords, spfMechanism } from '../domain/dns-record.js';
import type { Domain, Inspection, SetUp } from '../domain/domain.js';
import { checkDkim } from './check-dkim.js';
import { checkMx } from './check-mx.js';
import { checkSpf } from './check-spf.js';
import type { DomainProvider } from './domain-provider.js';
import type { DnsResolver } from './ports/dns-resolver.js';

/** A relay knows nothing of domains: we sign with a key of the domain's own, and DNS alone tells. */
export class SmtpDomainProvider implements DomainProvider {
  readonly setUpFor = 'smtp';

  constructor(
    /** Null where none is configured. */
    private readonly relay: RelayIdentity | null,
    private readonly dns: DnsResolver,
    private readonly seal: (plain: string) => string,
  ) {}

  async setUp(domain: Domain): Promise<SetUp> {
    const dkimKey = domain.dkimKey ?? (await newDkimKey(domain.id, this.seal));
    return { dkimKey, records: smtpRecords(domain.name, dkimKey, this.relay), hasMade: false };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    const key = keyOf(domain);
    const records = smtpRecords(name, key, this.relay);
    const [dkim, spf, mailFrom] = await Promise.all([
      checkDkim(this.dns, dkimName(name, key.selector), key.publicKey),
      checkSpf(this.dns, name, spfMechanism(this.relay)),
      checkMx(this.dns, name),
    ]);
    return { records, findings: { dkim, spf, mailFrom }, beginsAnew: false, hasMade: false };
  }

  /** The relay was never told of it. */
  undo(): Promise<void> {
    return Promise.resolve();
  }
}

function keyOf(domain: Domain): DkimKey {
  const { dkimKey } = domain;
  if (!dkimKey) throw new Error(`The domain ${domain.id} has no DKIM key`);
  return dkimKey;
}
