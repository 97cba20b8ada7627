import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';

import { ApiError, unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { showStored, useReloaded } from '../../components/show-stored';
import { useAction } from '../../components/use-action';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';

export type Settings = Schemas['SettingsResponse'];
export type SettingsChange = Schemas['ChangeSettingsDto'];

/** The providers in the order in which they are shown. Each has a section of the settings. */
export const EMAIL_PROVIDERS = ['smtp', 'ses'] as const satisfies readonly Settings['emailProvider'][];
/** The sections of the settings that configure a provider. */
export const PROVIDER_SECTIONS = [...EMAIL_PROVIDERS, 'sms'] as const;
export type ProviderSection = (typeof PROVIDER_SECTIONS)[number];

/**
 * The form of one section of the settings. After each change it shows the response of the API. If a change is refused
 * because somebody else has removed the provider, the form becomes one for a new provider.
 */
export function useSettingsForm<Values extends object>(
  settings: Settings,
  valuesOf: (settings: Settings) => Values,
  toChange: (values: Values, initial: Values) => SettingsChange,
) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({ initialValues: valuesOf(settings) });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending, error } = useAction({
    run: ({ body }: { body: SettingsChange; submitted: Values }) =>
      unwrap(api.PATCH('/api/settings', { body })).catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 400) throw error;
        await queryClient.refetchQueries({ queryKey: ['settings'] });
        const now = queryClient.getQueryData<Settings>(['settings']);
        throw PROVIDER_SECTIONS.some((name) => body[name] && settings[name] && !now?.[name])
          ? new ApiError(409, t('settings.removedMeanwhile'))
          : error;
      }),
    mutationKey: ['settings'],
    successMessage: t('settings.saved'),
    invalidates: [['settings'], ['usage'], ['me']],
    isErrorShownInForm: true,
    onSuccess: (saved, { submitted }) => showStored(form, valuesOf(saved), submitted),
  });
  useReloaded(form, valuesOf(settings), isPending);
  const change = (body: SettingsChange) => mutate({ body, submitted: form.getValues() });
  return {
    form,
    change,
    saving: {
      isBusy: isPending,
      isDirty: form.isDirty(),
      error,
      onSubmit: form.onSubmit((values) => change(toChange(values, form.getInitialValues()))),
    },
  };
}
