import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import type { Campaign } from './campaign-status';

const REFRESH_EVERY_MS = 15_000;

export type Count = Schemas['CampaignAudienceCountResponse'];

/** Counts the saved audience of a campaign; undefined for one that has not been created yet. */
export function useAudienceCount(campaign: Campaign | null) {
  const id = campaign?.id ?? '';
  return useQuery({
    queryKey: ['campaigns', id, 'audience', campaign?.audience],
    queryFn: ({ signal }) => unwrap(api.GET('/api/campaigns/{id}/audience', { params: { path: { id } }, signal })),
    enabled: campaign !== null,
    refetchInterval: REFRESH_EVERY_MS,
  });
}

interface Props {
  count: Count | undefined;
  error: Error | null;
  /** Why the shown number is not that of the edited audience. */
  stale: string | null;
}

/** `1,234 recipients`, and how many more are suppressed. */
export function AudienceCount({ count, error, stale }: Props) {
  if (stale !== null) return <span className="dimmed">{stale}</span>;
  if (error) return `Could not count the recipients: ${error.message}`;
  if (!count) return <span className="dimmed">Counting the recipients…</span>;
  return (
    <>
      <strong>{recipients(count.active)}</strong>
      {count.suppressed > 0 &&
        `, without ${count.suppressed.toLocaleString()} suppressed ${count.suppressed === 1 ? 'contact' : 'contacts'}`}
    </>
  );
}

export const recipients = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'recipient' : 'recipients'}`;
