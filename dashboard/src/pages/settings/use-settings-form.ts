import { useForm } from '@mantine/form';

import { answerOf, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useAction } from '../../components/use-action';

export type Settings = Schemas['SettingsResponse'];
export type SettingsChange = Schemas['ChangeSettingsDto'];

/** A form of a part of the settings. Whatever changes that part, the form starts anew from what the service answers. */
export function useSettingsForm<Values extends object>(
  settings: Settings,
  valuesOf: (settings: Settings) => Values,
  toChange: (values: Values) => SettingsChange,
) {
  const form = useForm<Values>({ initialValues: valuesOf(settings) });
  const { mutate, isPending, error } = useAction({
    run: (body: SettingsChange) => answerOf(api.PATCH('/api/settings', { body })),
    done: 'Saved.',
    changes: [['settings'], ['usage'], ['me']],
    isErrorShown: true,
    onDone: (saved) => {
      form.setInitialValues(valuesOf(saved));
      form.reset();
    },
  });
  return {
    form,
    change: mutate,
    saving: {
      isBusy: isPending,
      isDirty: form.isDirty(),
      error,
      onSubmit: form.onSubmit((values) => mutate(toChange(values))),
    },
  };
}
