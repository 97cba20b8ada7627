import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import type { Rendered } from '../templates/use-rendered';
import type { Campaign } from './campaign-status';
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
  checkValues,
} from './checks';
import type { EditedAudience } from './use-edited-audience';
import type { Senders } from './use-senders';

export interface Checked {
  campaign: Campaign | null;
  isDirty: boolean;
  values: CampaignValues;
  senders: Senders;
  rendered: Rendered;
  audience: EditedAudience;
}

/** The checks of an edited campaign. Null stands for one that does not apply. */
export function useChecks(checked: Checked): readonly (Check | null)[] {
  const { values, senders, rendered, audience } = checked;
  const { fromEmail } = values;
  const { data: usage } = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })),
  });
  const { data: settings } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
  });
  const { count, stale } = audience;
  const missing = useMissingValues(checked);
  return [
    checkAudience(audience),
    checkProvider(settings),
    checkSender(fromEmail, senders),
    checkLink(rendered),
    checkSize(rendered),
    checkValues(missing),
    checkDmarc(fromEmail, senders),
    stale === null ? checkDailyLimit(count, usage, settings?.campaignCapShare) : null,
  ];
}

/** Missing values of the saved campaign; undefined for an edited one, and if its content cannot be rendered. */
function useMissingValues({ campaign, isDirty, audience, rendered }: Checked) {
  const { id = '', subject, html, text, templateId, variables, audience: saved } = campaign ?? {};
  const isShown = campaign !== null && !isDirty && audience.stale === null && rendered.mail !== undefined;
  const { data } = useQuery({
    queryKey: ['campaigns', id, 'missing-values', saved, subject, html, text, templateId, variables],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/campaigns/{id}/missing-values', { params: { path: { id } }, signal })),
    enabled: isShown,
  });
  return isShown ? data : undefined;
}
