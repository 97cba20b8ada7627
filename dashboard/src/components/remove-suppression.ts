import { api, ApiError, unwrap } from '../api/client';
import type { Schemas } from '../api/types';
import { t } from '../texts/text';

type Entry = Pick<Schemas['SuppressionResponse'], 'id' | 'reason' | 'source'> & { address: string };

/**
 * Removes an entry as the user knows it. If it has another cause by now, such as a complaint of the recipient, it
 * stays, and an ApiError with status 409 says so.
 */
export async function removeSuppression({ id, address, reason, source }: Entry): Promise<void> {
  const params = { path: { id }, query: { reason, source } };
  try {
    await unwrap(api.DELETE('/api/suppressions/{id}', { params }));
  } catch (error) {
    const isChanged = error instanceof ApiError && error.status === 409;
    throw isChanged ? new ApiError(409, t('common.suppressionChanged', { address })) : error;
  }
}
