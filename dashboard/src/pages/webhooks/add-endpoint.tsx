import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { EndpointFields, toEndpoint, useEndpointForm } from './endpoint-fields';
import type { Webhook } from './webhook-events';

const EVENTS: Webhook['events'] = ['contact.unsubscribed', 'contact.bounced', 'contact.complained'];

/** Opens the page of the new endpoint, which shows its secret. */
export function AddEndpoint({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useEndpointForm({ url: '', description: '', events: EVENTS, testEvents: false });
  const add = useAction({
    run: (body: Schemas['CreateWebhookDto']) => unwrap(api.POST('/api/webhooks', { body })),
    successMessage: t('webhooks.added'),
    invalidates: [['webhooks']],
    isErrorShownInForm: true,
    onSuccess: ({ id }) => void navigate(`/webhooks/${id}`),
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('webhooks.add.title')}
      size="lg"
      submit={t('webhooks.add')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(toEndpoint(values)))}
    >
      <EndpointFields form={form} />
    </FormModal>
  );
}
