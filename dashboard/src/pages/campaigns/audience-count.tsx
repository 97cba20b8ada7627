import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
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
  if (error) return t('campaigns.audience.countFailed', { reason: error.message });
  if (!count) return <span className="dimmed">{t('campaigns.audience.counting')}</span>;
  const { active, suppressed } = count;
  if (suppressed === 0) return <strong>{t('campaigns.recipientCount', { count: active })}</strong>;
  return <RichText id="campaigns.audience.countWithout" values={{ active, suppressed }} tags={{ b: <strong /> }} />;
}
