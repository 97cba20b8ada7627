import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { formatTime } from '../../components/time';
import { LOCAL_ZONE, toWallClock, toZonedIso } from '../../components/zoned-time';
import { t } from '../../texts/text';
import { useMessageAction } from './use-message-action';

const MAX_DAYS_AHEAD = 90;
const DAY_MS = 86_400_000;

interface Props {
  message: MessageDetail;
  onClose: () => void;
}

/** Asks for the time, in the time zone of the browser. */
export function RescheduleMessage({ message: { id, scheduledAt }, onClose }: Props) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { time: scheduledAt === null ? '' : toWallClock(scheduledAt, LOCAL_ZONE) },
    validate: { time: validateTime },
  });
  const reschedule = useMessageAction({
    run: (at: string) =>
      unwrap(api.PATCH('/api/messages/{id}', { params: { path: { id } }, body: { scheduledAt: at } })),
    successMessage: (message) =>
      message.scheduledAt === null
        ? t('messages.schedule.now')
        : t('messages.schedule.done', { time: formatTime(message.scheduledAt) }),
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t(scheduledAt === null ? 'messages.schedule.title' : 'messages.reschedule.title')}
      submit={t(scheduledAt === null ? 'messages.schedule' : 'messages.reschedule')}
      action={reschedule}
      onSubmit={form.onSubmit(({ time }) => reschedule.mutate(toZonedIso(time, LOCAL_ZONE)))}
    >
      <TextInput
        type="datetime-local"
        label={t('messages.schedule.time')}
        description={t('messages.schedule.description', {
          zone: LOCAL_ZONE.replaceAll('_', ' '),
          days: MAX_DAYS_AHEAD,
        })}
        required
        data-autofocus
        key={form.key('time')}
        {...form.getInputProps('time')}
      />
    </FormModal>
  );
}

function validateTime(time: string): string | null {
  const at = time === '' ? NaN : new Date(toZonedIso(time, LOCAL_ZONE)).getTime();
  if (Number.isNaN(at)) return t('messages.schedule.invalid');
  if (at <= Date.now()) return t('messages.schedule.past');
  return at > Date.now() + MAX_DAYS_AHEAD * DAY_MS ? t('messages.schedule.tooLate', { days: MAX_DAYS_AHEAD }) : null;
}
