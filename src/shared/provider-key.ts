import type { AccountProvider, AwsAccess } from './account-provider.js';

/** Through what an account sends, as a domain or a sender remembers what it was set up for: `ses:<region>:<access key id>`. */
export type SetUpFor = 'smtp' | `ses:${string}`;

export const setUpForSes = ({ region, credentials }: AwsAccess): `ses:${string}` =>
  `ses:${region}:${credentials?.accessKeyId ?? 'process'}`;

export const setUpForProvider = (provider: AccountProvider | null): SetUpFor =>
  provider?.kind === 'ses' ? setUpForSes(provider.access) : 'smtp';
