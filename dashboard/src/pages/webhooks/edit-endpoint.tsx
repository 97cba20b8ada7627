import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { EndpointFields, toEndpoint, useEndpointForm } from './endpoint-fields';
import type { Webhook } from './webhook-events';

export function EditEndpoint({ endpoint, onClose }: { endpoint: Webhook; onClose: () => void }) {
  const { id, url, events, description, testEvents } = endpoint;
  const form = useEndpointForm({ url, events, description: description ?? '', testEvents });
  const change = useAction({
    run: (body: Schemas['ChangeWebhookDto']) =>
      unwrap(api.PATCH('/api/webhooks/{id}', { params: { path: { id } }, body })),
    successMessage: 'The endpoint has been saved.',
    invalidates: [['webhooks'], ['webhook', id]],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Edit endpoint"
      size="lg"
      submit="Save"
      action={change}
      onSubmit={form.onSubmit((values) => change.mutate(toEndpoint(values)))}
    >
      <EndpointFields form={form} />
    </FormModal>
  );
}
