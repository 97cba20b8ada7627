/** What a row of `accounts`, under this alias, is set up for: a SetUpFor. */
export const presentSetUp = (account: string): string => `coalesce(
  CASE ${account}.email_provider WHEN 'ses' THEN
    'ses:' || (${account}.ses->>'region') || ':' || coalesce(${account}.ses->>'accessKeyId', 'process')
  END, 'smtp')`;
