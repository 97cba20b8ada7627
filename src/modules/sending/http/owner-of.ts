import type { KeyCaller } from '../../../platform/http/access/caller.js';

/** The fields that a send takes from the key of its caller. */
export const ownerOf = ({ accountId, testOf, apiKeyId, dailyLimit }: KeyCaller) => ({
  accountId,
  testOf,
  apiKeyId,
  keyLimit: dailyLimit,
});
