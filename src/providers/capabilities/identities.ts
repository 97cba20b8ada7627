import type { DnsRecord } from '../../shared/dns-record.js';
import type { ProviderKey } from '../../shared/provider-key.js';

export type IdentityStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** If the provider does not find the MX of the MAIL FROM domain, it uses a domain of its own or rejects the message. */
export type OnMxFailure = 'USE_DEFAULT_VALUE' | 'REJECT_MESSAGE';

/** A domain or an address that is registered with the provider. */
export interface EmailIdentity {
  isVerified: boolean;
  /** The error code of the provider's last verification attempt, such as `HOST_NOT_FOUND`. */
  error: string | null;
  dkim: { status: IdentityStatus; tokens: readonly string[]; hostedZone: string | null };
  mailFrom: { domain: string | null; status: IdentityStatus; onMxFailure: OnMxFailure };
}

/**
 * The identities that an account has at a provider which verifies domains and addresses itself. Every method throws a
 * ProviderFailure if the provider refuses or cannot be reached.
 */
export interface IdentityKeeper {
  readonly key: ProviderKey;
  /** The name of the provider, shown to users. */
  readonly label: string;
  /** Whether accounts share it, so that an existing identity may belong to another of them. */
  readonly isShared: boolean;
  /** The mechanism that the SPF record of the MAIL FROM domain has to contain. */
  readonly spf: string;

  /**
   * Creates an identity with DKIM keys of 2,048 bits. The provider mails a link that works for 24 hours to a new
   * address. An existing identity is not changed.
   */
  create(name: string): Promise<'created' | 'exists'>;

  find(name: string): Promise<EmailIdentity | null>;

  /** Restarts the verification of the MAIL FROM domain. */
  setMailFrom(name: string, mailFrom: { domain: string; onMxFailure: OnMxFailure }): Promise<void>;

  /** Makes the provider look for the DKIM records again. */
  restartDkim(name: string): Promise<void>;

  /** Does nothing if there is no such identity. */
  delete(name: string): Promise<void>;

  /** The records for the domain's owner to publish. */
  recordsOf(name: string, dkim: EmailIdentity['dkim'], mailFrom: string): DnsRecord[];
}

export interface KeepsIdentities<C> {
  identitiesOf(connection: C): IdentityKeeper;
}

/** The DNS requirements of a relay for the domains that send through it. */
export interface RelayRecords {
  /** The SPF mechanism that permits the relay to send for a domain. */
  spf: string;
  /** The host that takes the bounces; null for the domain itself. */
  exchange: string | null;
}

/** Provided if the service signs the mail of the provider. */
export interface SendsForDomains<C> {
  relayRecordsOf(connection: C): RelayRecords;
}
