import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { showStored } from '../../components/show-stored';
import { UNGUARDED, useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';
import {
  type CampaignValues,
  keepContent,
  placeFaults,
  toBody,
  toChanges,
  validate,
  valuesOf,
} from './campaign-values';
import { useCampaignAction } from './use-campaign-action';

/**
 * The form of a campaign; null creates one. When the status changes, `reload` is called, unless that would discard
 * unsaved changes: then the form is outdated.
 */
export function useCampaignForm(campaign: Campaign | null, reload: (() => void) | undefined) {
  const navigate = useNavigate();
  /** The status when the form was filled, or last saved. */
  const [base, setBase] = useState(campaign?.status);
  const form = useForm<CampaignValues>({ initialValues: valuesOf(campaign), validate });
  const isDirty = form.isDirty();
  useUnsavedGuard(isDirty);
  const showFaults = (error: Error) => {
    const { fields } = placeFaults(error.message, form.getValues());
    form.setErrors(fields);
  };
  const save = useCampaignAction({
    run: (edited: CampaignValues) =>
      unwrap(saved(campaign?.id, edited, form.getInitialValues())).catch(rethrowAfter(showFaults)),
    successMessage: t(campaign ? 'campaigns.saved' : 'campaigns.created'),
    isErrorShownInForm: true,
    onSuccess: (stored, submitted) => {
      setBase(stored.status);
      showStored(form, valuesOf(stored, submitted.zone), submitted, keepContent);
      if (!campaign) void navigate(`/campaigns/${stored.id}`, { replace: true, ...UNGUARDED });
    },
  });
  const isChanged = campaign?.status !== base && !save.isPending;
  useEffect(() => {
    if (isChanged && !isDirty) reload?.();
  }, [isChanged, isDirty, reload]);
  return { form, save, isDirty, isOutdated: isChanged && isDirty, showFaults };
}

const saved = (id: string | undefined, edited: CampaignValues, initial: CampaignValues) =>
  id === undefined
    ? api.POST('/api/campaigns', { body: toBody(edited) })
    : api.PATCH('/api/campaigns/{id}', { params: { path: { id } }, body: toChanges(initial, edited) });

const rethrowAfter =
  (report: (error: Error) => void) =>
  (error: unknown): never => {
    report(error as Error);
    throw error;
  };
