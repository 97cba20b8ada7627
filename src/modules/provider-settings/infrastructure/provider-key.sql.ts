/** What a row of `accounts`, under this alias, is set up for: a SetUpFor. */
export const presentSetUp = (account: string): string => `coalesce(
  CASE ${account}.email_provider WHEN 'ses' THEN
    'ses:' || (${account}.ses->>'region') || ':' || coalesce(${account}.ses->>'accessKeyId', 'process')
  END, 'smtp')`;

/** What the mail of such a row leaves through: a LinkCarrier, the same as `carrierOf` gives. */
export const presentCarrier = (account: string): string => `CASE
  WHEN ${account}.email_provider = 'ses' THEN ${presentSetUp(account)}
  WHEN ${account}.smtp->>'host' IS NULL THEN 'installation'
  ELSE concat_ws(':', 'smtp', ${account}.smtp->>'host', ${account}.smtp->>'port', coalesce(${account}.smtp->>'username', ''))
END`;
