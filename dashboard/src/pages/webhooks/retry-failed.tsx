import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { LOCAL_ZONE, toWallClock, toZonedIso } from '../../components/zoned-time';
import { t } from '../../texts/text';

const DAY_MS = 86_400_000;

interface Props {
  endpointId: string;
  /** The suggested start, instead of a day ago. */
  failingSince: string | null;
  onClose: () => void;
}

/** Asks for the time since which failed deliveries are retried. */
export default function RetryFailed({ endpointId, failingSince, onClose }: Props) {
  const [suggested] = useState(() => failingSince ?? new Date(Date.now() - DAY_MS).toISOString());
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { time: toWallClock(suggested, LOCAL_ZONE) },
    validate: { time: (time) => (isTime(time) ? null : t('webhooks.retryFailed.invalid')) },
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
      t(hasMore ? 'webhooks.retryFailed.retriedSome' : 'webhooks.retryFailed.retried', { count: retried }),
    invalidates: [['deliveries']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('webhooks.retryFailed.title')}
      submit={t('webhooks.retry')}
      action={retry}
      onSubmit={form.onSubmit(({ time }) => retry.mutate(time))}
    >
      <TextInput
        type="datetime-local"
        label={t('webhooks.retryFailed.since')}
        description={t('webhooks.retryFailed.description', { zone: LOCAL_ZONE.replaceAll('_', ' ') })}
        required
        data-autofocus
        key={form.key('time')}
        {...form.getInputProps('time')}
      />
    </FormModal>
  );
}

const isTime = (time: string): boolean => time !== '' && !Number.isNaN(Date.parse(toZonedIso(time, LOCAL_ZONE)));
