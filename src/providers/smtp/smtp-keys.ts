import { INSTALLATION, SERVICE_KEY, type VerificationProvider } from '../../shared/provider-key.js';
import type { ProviderKeys } from '../capabilities/keys.js';
import type { SmtpConnection } from './smtp-connection.js';

/** The prefix of the key of each relay of an account. Proofs of the operator's relay count for all of them. */
export const RELAY_PREFIX = 'smtp:';

/**
 * A relay of an account is `smtp:<host>:<port>:<user name>`. An IPv6 address is in brackets: without them, its last
 * group and a port could be mistaken for a port and a user name.
 */
export const smtpKeys: ProviderKeys<SmtpConnection> = {
  keyOf: () => SERVICE_KEY,
  keySql: null,
  verificationKeyOf: ({ owner, relay: { host, port, username } }): VerificationProvider =>
    owner === 'installation' ? INSTALLATION : `${RELAY_PREFIX}${bracketed(host)}:${port}:${username ?? ''}`,
  verificationSql: (account) => `CASE WHEN ${account}.smtp->>'host' IS NULL THEN '${INSTALLATION}'
    ELSE '${RELAY_PREFIX}' || concat_ws(':', regexp_replace(${account}.smtp->>'host', '^(.*:.*)$', '[\\1]'),
      ${account}.smtp->>'port', coalesce(${account}.smtp->>'username', '')) END`,
};

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
