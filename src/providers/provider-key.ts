import { INSTALLATION, type ProviderKey, SERVICE_KEY, type VerificationProvider } from '../shared/provider-key.js';
import type { ProviderKeys } from './capabilities/keys.js';
import { type EmailConnection, KEYS } from './registration.js';
import { smtpKeys } from './smtp/smtp-keys.js';

const BY_NAME: Readonly<Record<string, ProviderKeys<EmailConnection> | undefined>> = KEYS;
const keysOf = ({ kind }: EmailConnection) => BY_NAME[kind];

export const providerKeyOf = (connection: EmailConnection | null): ProviderKey =>
  (connection && keysOf(connection)?.keyOf(connection)) ?? SERVICE_KEY;

/**
 * Without a provider, the links come from the installation's relay: nothing else could send them. Test accounts, whose
 * provider is the simulator, have no senders.
 */
export const verificationProviderOf = (connection: EmailConnection | null): VerificationProvider =>
  (connection && keysOf(connection)?.verificationKeyOf(connection)) ?? INSTALLATION;

const KEY_CASES = Object.entries(KEYS).flatMap(([name, { keySql }]) => (keySql ? [{ name, sql: keySql }] : []));

const cases = (account: string): string =>
  KEY_CASES.map(({ name, sql }) => `WHEN '${name}' THEN ${sql(account)}`).join(' ');

/** SQL for the ProviderKey of an account's current settings, as `providerKeyOf` returns it. `account`: its row. */
export const currentProviderKey = (account: string): string =>
  `CASE ${account}.email_provider ${cases(account)} ELSE '${SERVICE_KEY}' END`;

/** SQL for the VerificationProvider of an account's current settings, as `verificationProviderOf` returns it. */
export const currentVerificationProvider = (account: string): string => {
  const others = Object.entries(KEYS).filter(([, keys]) => keys !== smtpKeys);
  const whens = others.map(([name, keys]) => `WHEN '${name}' THEN ${keys.verificationSql(account)}`);
  return `CASE ${account}.email_provider ${whens.join(' ')} ELSE ${smtpKeys.verificationSql(account)} END`;
};
