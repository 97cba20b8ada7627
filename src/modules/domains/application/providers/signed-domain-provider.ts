import type { RelayRecords } from '../../../../providers/index.js';
import { dkimName } from '../../../../shared/dns-record.js';
import { SERVICE_KEY } from '../../../../shared/provider-key.js';
import { checkSpf } from '../check-spf.js';
import { checkDkim, checkMx } from '../dns-checks.js';
import type { DnsResolver } from '../ports/dns-resolver.js';
import type { DomainProvider } from './domain-provider.js';
import type { DkimKey } from '../../domain/dkim-key.js';
import { signedRecords } from '../../domain/dns-record.js';
import type { Domain, DomainSetup, Inspection } from '../../domain/domain.js';
import type { DkimKeyQueue } from './dkim-key-queue.js';

/** Relays keep no identities: the service signs with a key of the domain, and DNS alone decides the checks. */
export class SignedDomainProvider implements DomainProvider {
  readonly providerKey = SERVICE_KEY;

  constructor(
    /** Null if no relay is configured. */
    private readonly relay: RelayRecords | null,
    private readonly dns: DnsResolver,
    private readonly keys: DkimKeyQueue,
  ) {}

  async setUp(domain: Domain): Promise<DomainSetup> {
    const dkimKey = domain.dkimKey ?? (await this.keys.generateFor(domain));
    return { dkimKey, records: signedRecords(domain.name, dkimKey, this.relay), createdIdentity: false };
  }

  async inspect(domain: Domain): Promise<Inspection> {
    const { name } = domain;
    const key = keyOf(domain);
    const records = signedRecords(name, key, this.relay);
    const [dkim, spf, mailFrom] = await Promise.all([
      checkDkim(this.dns, dkimName(name, key.selector), key.publicKey),
      checkSpf(this.dns, name, this.relay?.spf ?? null),
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
