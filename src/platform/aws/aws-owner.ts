import { createHash } from 'node:crypto';

import type { AwsAccess } from '../../shared/aws-access.js';

/**
 * Identifies the AWS account and region of an access. It includes a hash of the secret: an account that only knows the
 * key id of another one shares nothing with it.
 */
export const awsOwner = ({ region, credentials }: AwsAccess): string =>
  credentials === null ? `${region} ` : `${region} ${credentials.accessKeyId} ${hashOf(credentials.secretAccessKey)}`;

/** The secret has 240 random bits: no part of a hash reveals it. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 16);
