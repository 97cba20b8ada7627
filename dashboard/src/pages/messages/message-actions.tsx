import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { confirmAction } from '../../components/confirm-action';
import { DangerButton } from '../../components/danger-button';
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
            {message.scheduledAt === null ? 'Schedule' : 'Reschedule'}
          </Button>
        </>
      )}
      {isResendable(message) && <ResendButton key={message.id} message={message} />}
      {/* Stays open if the message is sent meanwhile: the API then says why it cannot be rescheduled. */}
      {isRescheduling && <RescheduleMessage message={message} onClose={close} />}
    </>
  );
}

const pathOf = ({ id }: MessageDetail) => ({ params: { path: { id } } });

function CancelButton({ message }: Props) {
  const cancel = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/cancel', pathOf(message))),
    successMessage: 'The message has been canceled.',
  });
  return (
    <DangerButton
      label="Cancel message"
      title="Cancel this message?"
      confirm="Cancel message"
      dismiss="Keep message"
      isBusy={cancel.isPending}
      onConfirm={cancel.mutate}
    >
      It will not be sent to {message.to}
      {message.copies && '; the messages to the other recipients stay as they are'}. You can resend it later.
    </DangerButton>
  );
}

function ResendButton({ message }: Props) {
  const navigate = useNavigate();
  const resend = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/resend', pathOf(message))),
    successMessage: 'The message has been resent. This page shows the new message.',
    onSuccess: ({ messageLogId }) => void navigate(`/messages/${messageLogId}`),
  });
  const ask = () =>
    confirmAction({
      title: 'Resend this message?',
      children: `Its content is sent to ${message.to} as a new message, which counts toward the daily limit. If it has been resent before, nothing is sent and you see that message.`,
      confirm: 'Resend',
      isDangerous: false,
      onConfirm: resend.mutate,
    });
  return (
    <Button loading={resend.isPending} onClick={ask}>
      Resend
    </Button>
  );
}
