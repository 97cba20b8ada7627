import type { Domain, Inspection, SetUp } from '../domain/domain.js';
import type { SetUpFor } from '../domain/set-up-for.js';

/** What an account's provider asks of a domain, and how it is looked at. */
export interface DomainProvider {
  readonly setUpFor: SetUpFor;

  /** Makes the domain ready for its records to be published. May be repeated. Throws a ProviderFailure. */
  setUp(domain: Domain): Promise<SetUp>;

  /** Looks at everything at once. Where something does not answer, the finding says so. */
  inspect(domain: Domain): Promise<Inspection>;

  /** Forgets the domain. Throws a ProviderFailure. */
  release(domain: Domain): Promise<void>;
}
