import { api, unwrap } from '../api/client';
import type { Schemas } from '../api/types';
import { t } from '../texts/text';

type Suppression = Schemas['SuppressionResponse'];

interface Added {
  address: string;
  channel: Suppression['channel'];
  reason: Suppression['reason'];
  isEntry: (suppression: Suppression) => boolean;
}

/** Removes a suppression that was just added, unless its reason is another one by now, such as a bounce. */
export async function undoSuppression({ address, channel, reason, isEntry }: Added): Promise<void> {
  const query = { channel, reason, search: address, limit: 100 };
  const { items } = await unwrap(api.GET('/api/suppressions', { params: { query } }));
  const entry = items.find(isEntry);
  if (!entry) throw new Error(t('common.undo.suppressionChanged', { address }));
  await unwrap(api.DELETE('/api/suppressions/{id}', { params: { path: { id: entry.id } } }));
}
