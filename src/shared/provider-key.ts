import type { AccountProvider, AwsAccess, SmtpProvider } from './account-provider.js';

/**
 * Identifies where an account's domains and senders are registered: `ses:<region>:<access key id>`, or `smtp` for every
 * SMTP relay, because relays keep no identities.
 */
export type ProviderKey = 'smtp' | SesProviderKey;
type SesProviderKey = `ses:${string}`;

/**
 * Identifies the provider that carries a verification link, and so who else could have read it:
 * - `installation`: the operator's relay, which no account can read. The link proves that the mailbox owner agreed.
 * - `smtp:<host>:<port>:<user name>`: a relay of the account. It proves the sender for that relay only. An IPv6 address
 *   is in brackets: without them, its last group and a port could be mistaken for a port and a user name.
 * - `ses:<region>:<access key id>`: SES, which mails its own link. It proves the sender there only.
 */
export type VerificationProvider = 'installation' | `smtp:${string}` | SesProviderKey;

export const sesProviderKey = ({ region, credentials }: AwsAccess): SesProviderKey =>
  `ses:${region}:${credentials?.accessKeyId ?? 'process'}`;

export const providerKeyOf = (provider: AccountProvider | null): ProviderKey =>
  provider?.kind === 'ses' ? sesProviderKey(provider.access) : 'smtp';

/**
 * Without a provider it is the installation's relay: nothing else could send the link. Test accounts, whose provider
 * is the simulator, have no senders.
 */
export function verificationProviderOf(provider: AccountProvider | null): VerificationProvider {
  if (provider === null || provider.kind === 'simulator') return 'installation';
  return provider.kind === 'ses' ? sesProviderKey(provider.access) : verificationRelayOf(provider);
}

function verificationRelayOf({ owner, relay: { host, port, username } }: SmtpProvider): VerificationProvider {
  return owner === 'installation' ? 'installation' : `smtp:${bracketed(host)}:${port}:${username ?? ''}`;
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
