/**
 * SQL for the ProviderKey of an account's current settings, as `providerKeyOf` returns it. `account`: alias of its row.
 */
export const currentProviderKey = (account: string): string => `coalesce(
  CASE ${account}.email_provider WHEN 'ses' THEN
    'ses:' || (${account}.ses->>'region') || ':' || coalesce(${account}.ses->>'accessKeyId', 'process')
  END, 'smtp')`;

/** The same for the VerificationProvider, as `verificationProviderOf` returns it. */
export const currentVerificationProvider = (account: string): string => `CASE
  WHEN ${account}.email_provider = 'ses' THEN ${currentProviderKey(account)}
  WHEN ${account}.smtp->>'host' IS NULL THEN 'installation'
  ELSE concat_ws(':', 'smtp', regexp_replace(${account}.smtp->>'host', '^(.*:.*)$', '[\\1]'), ${account}.smtp->>'port', coalesce(${account}.smtp->>'username', ''))
END`;
