import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsDeleting } from '../../components/use-is-deleting';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

const REFRESH_EVERY_MS = 15_000;

export type Count = Schemas['CampaignAudienceCountResponse'];

/** Counts the saved audience of a campaign; undefined for a campaign that has not been created yet. */
export function useAudienceCount(campaign: Campaign | null) {
  const id = campaign?.id ?? '';
  const isDeleting = useIsDeleting();
  return useQuery({
    queryKey: ['campaigns', id, 'audience', campaign?.audience, campaign?.topicId],
    queryFn: ({ signal }) => unwrap(api.GET('/api/campaigns/{id}/audience', { params: { path: { id } }, signal })),
    enabled: campaign !== null,
    refetchInterval: isDeleting ? false : REFRESH_EVERY_MS,
  });
}

interface Props {
  count: Count | undefined;
  error: Error | null;
  /** The reason why the shown number is not that of the edited audience. */
  stale: string | null;
}

/** Shows `1,234 recipients`, the number of contacts that are left out, and the reasons. */
export function AudienceCount({ count, error, stale }: Props) {
  if (stale !== null) return <span className="dimmed">{stale}</span>;
  if (error) return t('campaigns.audience.countFailed', { reason: error.message });
  if (!count) return <span className="dimmed">{t('campaigns.audience.counting')}</span>;
  const { active, suppressed, withoutConsent, outOfTopic } = count;
  const tags = { b: <strong /> };
  if (outOfTopic > 0)
    return (
      <RichText
        id="campaigns.audience.countOutOfTopic"
        values={{ active, suppressed, withoutConsent, outOfTopic }}
        tags={tags}
      />
    );
  if (withoutConsent > 0)
    return (
      <RichText
        id="campaigns.audience.countWithoutConsent"
        values={{ active, suppressed, withoutConsent }}
        tags={tags}
      />
    );
  if (suppressed === 0) return <strong>{t('campaigns.recipientCount', { count: active })}</strong>;
  return <RichText id="campaigns.audience.countWithout" values={{ active, suppressed }} tags={tags} />;
}
