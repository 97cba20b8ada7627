import { createRequire } from 'node:module';

import type ses from '@aws-sdk/client-sesv2';
import type sns from '@aws-sdk/client-sns';
import type protocols from '@smithy/core/protocols';
import type retry from '@smithy/core/retry';

const require = createRequire(import.meta.url);

/** The parts of the AWS SDK, loaded on first use: many installations use neither, and they take 15 MB. */
export const sesSdk = () => require('@aws-sdk/client-sesv2') as typeof ses;
export const snsSdk = () => require('@aws-sdk/client-sns') as typeof sns;

/** Whether the service has refused a call because there were too many. */
export const isThrottlingError: typeof retry.isThrottlingError = (error) =>
  (require('@smithy/core/retry') as typeof retry).isThrottlingError(error);

/** Encodes a query string as the signature covers it. */
export const queryString: typeof protocols.buildQueryString = (query) =>
  (require('@smithy/core/protocols') as typeof protocols).buildQueryString(query);
