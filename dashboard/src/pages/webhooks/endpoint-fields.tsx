import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { ChoicesField } from '../../components/choices-field';
import { type Webhook, WEBHOOK_EVENTS } from './webhook-events';

type Values = Pick<Webhook, 'url' | 'events' | 'testEvents'> & { description: string };

export const useEndpointForm = (initialValues: Values) =>
  useForm<Values>({
    initialValues,
    validate: { events: (events) => events.length === 0 && 'Select at least one event.' },
  });

/** Form values as an API request. */
export const toEndpoint = ({ url, events, description, testEvents }: Values) => ({
  url: url.trim(),
  events,
  description: description.trim() || null,
  testEvents,
});

export const EndpointFields = ({ form }: { form: ReturnType<typeof useEndpointForm> }) => (
  <>
    <TextInput
      label="URL"
      description="Events are sent to this URL as POST requests."
      placeholder="https://example.com/webhooks"
      type="url"
      required
      maxLength={2_048}
      data-autofocus
      {...form.getInputProps('url')}
    />
    <TextInput
      label="Description"
      description="Helps you recognise this endpoint."
      maxLength={200}
      {...form.getInputProps('description')}
    />
    <ChoicesField
      label="Events"
      description="The events sent to this endpoint."
      choices={WEBHOOK_EVENTS}
      {...form.getInputProps('events')}
    />
    <Checkbox
      label="Test events"
      description="Send events of messages of test keys, too."
      {...form.getInputProps('testEvents', { type: 'checkbox' })}
    />
  </>
);
