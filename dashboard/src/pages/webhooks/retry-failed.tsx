import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { LOCAL_ZONE, toWallClock, toZonedIso } from '../../components/zoned-time';

const DAY_MS = 86_400_000;

interface Props {
  endpointId: string;
  /** Suggested instead of a day ago. */
  failingSince: string | null;
  onClose: () => void;
}

/** Asks since when the failed deliveries of an endpoint are attempted again. */
export default function RetryFailed({ endpointId, failingSince, onClose }: Props) {
  const [suggested] = useState(() => failingSince ?? new Date(Date.now() - DAY_MS).toISOString());
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { time: toWallClock(suggested, LOCAL_ZONE) },
    validate: { time: (time) => (isTime(time) ? null : 'Enter a date and a time.') },
  });
  const retry = useAction({
    run: (time: string) =>
      unwrap(
        api.POST('/api/webhooks/{id}/retry-failed', {
          params: { path: { id: endpointId } },
          body: { since: new Date(toZonedIso(time, LOCAL_ZONE)).toISOString() },
        }),
      ),
    successMessage: ({ retried, hasMore }) =>
      `${describe(retried)}${hasMore ? ' There may be more: repeat this afterwards.' : ''}`,
    invalidates: [['deliveries']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Retry failed deliveries"
      submit="Retry"
      action={retry}
      onSubmit={form.onSubmit(({ time }) => retry.mutate(time))}
    >
      <TextInput
        type="datetime-local"
        label="Events since"
        description={`In your time zone, ${LOCAL_ZONE.replaceAll('_', ' ')}. At most 1,000 deliveries at once, oldest first.`}
        required
        data-autofocus
        key={form.key('time')}
        {...form.getInputProps('time')}
      />
    </FormModal>
  );
}

const isTime = (time: string): boolean => time !== '' && !Number.isNaN(Date.parse(toZonedIso(time, LOCAL_ZONE)));

const describe = (retried: number): string =>
  retried === 0
    ? 'No delivery has failed since then.'
    : retried === 1
      ? 'One delivery is attempted again.'
      : `${retried.toLocaleString()} deliveries are attempted again.`;
