import type { AccountProvider, SmtpProvider } from './account-provider.js';
import { setUpForSes } from './provider-key.js';

/**
 * What carried the mail with a sender's link, and so who else may have read it:
 * - `installation`: the operator's relay, which no account reads. The link proves that the mailbox agreed.
 * - `smtp:<host>:<port>:<user name>`: a relay of the account. It proves nothing beyond mail that leaves through that
 * relay.
 * - `ses:<region>:<access key id>`: SES, which mailed its own link. It holds for that SES.
 */
export type LinkCarrier = 'installation' | `smtp:${string}` | `ses:${string}`;

/** What mail leaves through. Null, no relay at all, counts as the installation's: nothing else could send it. */
export function carrierOf(provider: AccountProvider | null): LinkCarrier {
  if (provider === null) return 'installation';
  return provider.kind === 'ses' ? setUpForSes(provider.access) : carrierOfRelay(provider);
}

function carrierOfRelay({ owner, relay: { host, port, username } }: SmtpProvider): LinkCarrier {
  return owner === 'installation' ? 'installation' : `smtp:${host}:${port}:${username ?? ''}`;
}
