import type { AwsAccess } from '../../shared/aws-access.js';
import { SERVICE_KEY } from '../../shared/provider-key.js';
import type { ProviderKeys } from '../capabilities/keys.js';
import type { SesConnection } from './ses-connection.js';

const keyOf = ({ access: { region, credentials } }: { access: AwsAccess }) =>
  `ses:${region}:${credentials?.accessKeyId ?? 'process'}` as const;

const keySql = (account: string) => `coalesce('ses:' || (${account}.ses->>'region') || ':' ||
  coalesce(${account}.ses->>'accessKeyId', 'process'), '${SERVICE_KEY}')`;

/** `ses:<region>:<access key id>`. SES mails its own links, so they prove a sender there only. */
export const sesKeys: ProviderKeys<SesConnection> = {
  keyOf,
  keySql,
  verificationKeyOf: keyOf,
  verificationSql: keySql,
};
