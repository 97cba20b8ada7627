import type { EmailProviderKind } from '../../../shared/account-provider.js';
import type { Domain, Inspection, SetUp } from '../domain/domain.js';

/** What an account's provider asks of a domain, and how it is looked at. */
export interface DomainProvider {
  readonly kind: EmailProviderKind;

  /** Makes the domain ready for its records to be published. May be repeated. Throws a ProviderFailure. */
  setUp(domain: Domain): Promise<SetUp>;

  /** Looks at everything at once. Where something does not answer, the finding says so. */
  inspect(domain: Domain): Promise<Inspection>;

  /** Forgets the domain. Throws a ProviderFailure. */
  release(domain: Domain): Promise<void>;
}
