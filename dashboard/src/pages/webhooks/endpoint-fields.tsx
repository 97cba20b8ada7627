import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { ChoicesField } from '../../components/choices-field';
import { t } from '../../texts/text';
import { type Webhook, eventMeanings } from './webhook-events';

const EXAMPLE = 'https://example.com/webhooks';

type Values = Pick<Webhook, 'url' | 'events' | 'testEvents'> & { description: string };

export const useEndpointForm = (initialValues: Values) =>
  useForm<Values>({
    initialValues,
    validate: { events: (events) => events.length === 0 && t('webhooks.fields.events.required') },
  });

/** Converts form values to an API request. */
export const toEndpoint = ({ url, events, description, testEvents }: Values) => ({
  url: url.trim(),
  events,
  description: description.trim() || null,
  testEvents,
});

export const EndpointFields = ({ form }: { form: ReturnType<typeof useEndpointForm> }) => (
  <>
    <TextInput
      label={t('webhooks.column.url')}
      description={t('webhooks.fields.url.description')}
      placeholder={EXAMPLE}
      type="url"
      required
      maxLength={2_048}
      data-autofocus
      {...form.getInputProps('url')}
    />
    <TextInput
      label={t('webhooks.fields.description')}
      description={t('webhooks.fields.description.hint')}
      maxLength={200}
      {...form.getInputProps('description')}
    />
    <ChoicesField
      label={t('webhooks.column.events')}
      description={t('webhooks.fields.events.description')}
      choices={eventMeanings()}
      {...form.getInputProps('events')}
    />
    <Checkbox
      label={t('webhooks.fields.testEvents')}
      description={t('webhooks.fields.testEvents.description')}
      {...form.getInputProps('testEvents', { type: 'checkbox' })}
    />
  </>
);
