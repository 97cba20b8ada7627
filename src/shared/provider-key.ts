/** The key of domains and senders that the service verifies itself, because relays keep no identities. */
export const SERVICE_KEY = 'smtp';

/** Identifies where an account's domains and senders are registered: at a provider, or with the service itself. */
export type ProviderKey = typeof SERVICE_KEY | `${string}:${string}`;

/** The operator's relay, which no account can read. */
export const INSTALLATION = 'installation';

/**
 * Identifies the provider that carries a verification link, and thus everybody else who could have read it. A link that
 * the operator's relay carried proves that the mailbox owner agreed; any other proves the sender for its carrier only.
 */
export type VerificationProvider = typeof INSTALLATION | `${string}:${string}`;
