import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { changedFields } from '../../components/changed-fields';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { EndpointFields, toEndpoint, useEndpointForm } from './endpoint-fields';
import type { Webhook } from './webhook-events';

export default function EditEndpoint({ endpoint, onClose }: { endpoint: Webhook; onClose: () => void }) {
  const { id, url, events, description, testEvents } = endpoint;
  const form = useEndpointForm({ url, events, description: description ?? '', testEvents });
  const change = useAction({
    run: (body: Schemas['ChangeWebhookDto']) =>
      unwrap(api.PATCH('/api/webhooks/{id}', { params: { path: { id } }, body })),
    successMessage: t('webhooks.saved'),
    invalidates: [['webhooks'], ['webhook', id]],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('webhooks.edit')}
      size="lg"
      submit={t('common.action.save')}
      action={change}
      onSubmit={form.onSubmit((values) =>
        change.mutate(changedFields(toEndpoint(form.getInitialValues()), toEndpoint(values))),
      )}
    >
      <EndpointFields form={form} />
    </FormModal>
  );
}
