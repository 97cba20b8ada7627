import { useEffect, useRef } from 'react';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { t } from '../../texts/text';
import { type Count, useAudienceCount } from './audience-count';
import type { Campaign } from './campaign-status';
import { type CampaignForm, placeFaults } from './campaign-values';
import { useCampaignAction } from './use-campaign-action';

const CHOOSING_PAUSE_MS = 500;

export interface EditedAudience {
  count: Count | undefined;
  error: Error | null;
  /** The reason why the number is not that of the edited audience; null if it is. */
  stale: string | null;
  isSavedAtOnce: boolean;
  isSaving: boolean;
}

/**
 * The number of recipients while the audience is edited. The API counts the saved audience, so a draft is saved at
 * once.
 */
export function useEditedAudience(campaign: Campaign | null, form: CampaignForm, isOutdated: boolean): EditedAudience {
  const isAdmin = useIsAdmin();
  const { data: count, error } = useAudienceCount(campaign);
  const { audience } = form.values;
  const isSavedAtOnce = campaign?.status === 'draft' && !isOutdated;
  const isChanged = JSON.stringify(audience) !== JSON.stringify(form.getInitialValues().audience);
  /** The audience that could not be saved: it is not retried until it changes. */
  const refused = useRef('');
  const save = useCampaignAction({
    run: (edited: Campaign['audience']) => {
      form.clearErrors();
      return unwrap(
        api.PATCH('/api/campaigns/{id}', {
          params: { path: { id: campaign?.id ?? '' } },
          body: { audience: edited },
        }),
      ).catch((fault: unknown) => {
        refused.current = JSON.stringify(edited);
        form.setErrors(placeFaults((fault as Error).message, form.getValues()).fields);
        throw fault;
      });
    },
    isErrorShownInForm: true,
    onSuccess: (stored) => {
      refused.current = '';
      const saved = { ...form.getInitialValues(), audience: stored.audience };
      form.setInitialValues(saved);
      form.resetDirty(saved); // other changes stay unsaved: the values are compared with these
    },
  });
  const edited = JSON.stringify(audience);
  const canSave = isAdmin && isSavedAtOnce && isChanged && !save.isPending;
  useEffect(() => {
    if (!canSave || refused.current === edited) return;
    const timer = setTimeout(() => save.mutate(audience), CHOOSING_PAUSE_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per change, also one during a save
  }, [edited, canSave]);
  return {
    count,
    error,
    stale: campaign ? staleText(isSavedAtOnce, isChanged, save) : t('campaigns.audience.countedOnceCreated'),
    isSavedAtOnce,
    isSaving: save.isPending,
  };
}

function staleText(
  isSavedAtOnce: boolean,
  isChanged: boolean,
  { error, isPending }: { error: Error | null; isPending: boolean },
): string | null {
  if (!isChanged) return null;
  if (!isSavedAtOnce) return t('campaigns.audience.countedOnceSaved');
  return error && !isPending ? error.message : t('campaigns.audience.counting');
}
