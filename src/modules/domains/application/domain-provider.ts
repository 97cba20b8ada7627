import type { Domain, Inspection, SetUp } from '../domain/domain.js';
import type { SetUpFor } from '../../../shared/provider-key.js';

/** What an account's provider asks of a domain, and how it is looked at. */
export interface DomainProvider {
  readonly setUpFor: SetUpFor;

  /**
   * Makes the domain ready for its records to be published. May be repeated. Throws a ProviderFailure, or a `conflict` where
   * the provider has the name already and may have it for somebody else.
   */
  setUp(domain: Domain): Promise<SetUp>;

  /** Looks at everything at once. Where something does not answer, the finding says so. Throws as `setUp` does for a name lost. */
  inspect(domain: Domain): Promise<Inspection>;

  /** Undoes a `setUp` that has made something. Throws a ProviderFailure. */
  undo(domain: Domain): Promise<void>;
}
