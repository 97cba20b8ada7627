import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Rendered } from '../templates/use-rendered';
import type { CampaignValues } from './campaign-values';
import {
  type Check,
  checkAudience,
  checkDailyLimit,
  checkDmarc,
  checkLink,
  checkProvider,
  checkSender,
  checkSize,
} from './checks';
import type { EditedAudience } from './use-edited-audience';
import type { Senders } from './use-senders';

export interface Checked {
  values: CampaignValues;
  senders: Senders;
  rendered: Rendered;
  audience: EditedAudience;
}

/** The checks of an edited campaign. Null stands for one that does not apply. */
export function useChecks({ values: { fromEmail }, senders, rendered, audience }: Checked): readonly (Check | null)[] {
  const { data: usage } = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })),
  });
  const { data: settings } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
  });
  const { count, stale } = audience;
  return [
    checkAudience(count, stale),
    checkProvider(settings),
    checkSender(fromEmail, senders),
    checkLink(rendered),
    checkSize(rendered),
    checkDmarc(fromEmail, senders),
    stale === null ? checkDailyLimit(count, usage, settings?.campaignCapShare) : null,
  ];
}
