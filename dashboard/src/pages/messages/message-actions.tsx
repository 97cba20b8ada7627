import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { confirmAction } from '../../components/confirm-action';
import { DangerButton } from '../../components/danger-button';
import { t } from '../../texts/text';
import { isCancelable, isResendable } from './message-status';
import { RescheduleMessage } from './reschedule-message';
import { useMessageAction } from './use-message-action';

interface Props {
  message: MessageDetail;
}

/** The buttons at the top of a message, as far as its status allows them. */
export function MessageActions({ message }: Props) {
  const [isRescheduling, { open, close }] = useDisclosure();
  return (
    <>
      {isCancelable(message) && (
        <>
          <CancelButton message={message} />
          <Button variant="default" onClick={open}>
            {t(message.scheduledAt === null ? 'messages.schedule' : 'messages.reschedule')}
          </Button>
        </>
      )}
      {isResendable(message) && <ResendButton message={message} />}
      {/* Stays open if the message is sent meanwhile: the API then says why it cannot be rescheduled. */}
      {isRescheduling && <RescheduleMessage message={message} onClose={close} />}
    </>
  );
}

const pathOf = ({ id }: MessageDetail) => ({ params: { path: { id } } });

function CancelButton({ message }: Props) {
  const cancel = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/cancel', pathOf(message))),
    successMessage: t('messages.cancel.done'),
  });
  return (
    <DangerButton
      label={t('messages.cancel')}
      title={t('messages.cancel.title')}
      confirm={t('messages.cancel')}
      dismiss={t('messages.cancel.dismiss')}
      isBusy={cancel.isPending}
      onConfirm={cancel.mutate}
    >
      {t(message.copies ? 'messages.cancel.textOfOne' : 'messages.cancel.text', { to: message.to })}
    </DangerButton>
  );
}

function ResendButton({ message }: Props) {
  const navigate = useNavigate();
  const resend = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/resend', pathOf(message))),
    successMessage: t('messages.resend.doneHere'),
    onSuccess: ({ messageLogId }) => void navigate(`/messages/${messageLogId}`),
  });
  const ask = () =>
    confirmAction({
      title: t('messages.resend.title'),
      children: t('messages.resend.textHere', { to: message.to }),
      confirm: t('messages.resend'),
      isDangerous: false,
      onConfirm: resend.mutate,
    });
  return (
    <Button loading={resend.isPending} onClick={ask}>
      {t('messages.resend')}
    </Button>
  );
}
