import { createHash } from 'node:crypto';

import type { AwsAccess } from '../../shared/aws-access.js';

/**
 * Names the AWS account and region that an access belongs to. Who only knows the id of another account's key shares
 * nothing with it.
 */
export const awsOwner = ({ region, credentials }: AwsAccess): string =>
  credentials === null ? `${region} ` : `${region} ${credentials.accessKeyId} ${hashOf(credentials.secretAccessKey)}`;

/** The secret has 240 random bits: no part of a hash reveals it. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 16);
