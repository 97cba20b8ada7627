import type { ProviderKey } from '../../../../shared/provider-key.js';
import type { Domain, DomainSetup, Inspection } from '../../domain/domain.js';

/** The requirements of a provider for domains, and its checks of their records. */
export interface DomainProvider {
  readonly providerKey: ProviderKey;

  /**
   * Registers the domain, so that its records can be published. Repeatable. Throws a ProviderFailure, or a `conflict`
   * if the provider already has the name and may have it for another tenant.
   */
  setUp(domain: Domain): Promise<DomainSetup>;

  /**
   * Runs all checks concurrently. A check that got no answer is `unknown`. Throws a `conflict` like `setUp` if the
   * provider no longer had the domain.
   */
  inspect(domain: Domain): Promise<Inspection>;

  /** Deletes the identity that `setUp` created. Throws a ProviderFailure. */
  undo(domain: Domain): Promise<void>;
}
