import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import type { ApiKey, Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { LimitFields, NameField, toKeyBody, valuesOf } from './key-fields';

/** Sends only the changed fields: the expiry is shown to the minute, so sending it would drop its seconds. */
export default function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: valuesOf(apiKey) });
  const change = useAction({
    run: (body: Schemas['ChangeApiKeyDto']) =>
      unwrap(api.PATCH('/api/api-keys/{id}', { params: { path: { id: apiKey.id } }, body })),
    successMessage: ({ name }) => t('api-keys.updated', { name }),
    invalidates: [['api-keys']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  const submit = form.onSubmit((values) => {
    const changed = Object.entries(toKeyBody(values)).filter(([name]) => form.isDirty(name));
    change.mutate(Object.fromEntries(changed));
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('api-keys.edit.title', { name: apiKey.name })}
      size="lg"
      submit={t('common.action.save')}
      action={change}
      onSubmit={submit}
    >
      <NameField form={form} />
      <LimitFields form={form} />
    </FormModal>
  );
}
