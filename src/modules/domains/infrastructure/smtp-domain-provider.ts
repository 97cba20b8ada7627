import { checkSpf } from '../application/check-spf.js';
import { checkDkim, checkMx } from '../application/dns-checks.js';
import type { DnsResolver } from '../application/ports/dns-resolver.js';
import type { DomainProvider } from '../application/ports/domain-providers.js';
import type { DkimKey } from '../domain/dkim-key.js';
import { dkimName, type RelayIdentity, smtpRecords, spfMechanism } from '../domain/dns-record.js';
import type { Domain, DomainSetup, Inspection } from '../domain/domain.js';
import type { DkimKeyQueue } from './dkim-key-queue.js';

/** Relays keep no identities: the service signs with a key of the domain, and DNS alone decides the checks. */
export class SmtpDomainProvider implements DomainProvider {
  readonly providerKey = 'smtp';

  constructor(
    /** Null if no relay is configured. */
    private readonly relay: RelayIdentity | null,
    private readonly dns: DnsResolver,
    private readonly keys: DkimKeyQueue,
  ) {}

  async setUp(domain: Domain): Promise<DomainSetup> {
    const dkimKey = domain.dkimKey ?? (await this.keys.generateFor(domain));
    return { dkimKey, records: smtpRecords(domain.name, dkimKey, this.relay), createdIdentity: false };
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
    return { records, results: { dkim, spf, mailFrom }, isRecreated: false, createdIdentity: false };
  }

  /** Nothing was created at the relay. */
  undo(): Promise<void> {
    return Promise.resolve();
  }
}

function keyOf(domain: Domain): DkimKey {
  const { dkimKey } = domain;
  if (!dkimKey) throw new Error(`The domain ${domain.id} has no DKIM key`);
  return dkimKey;
}
