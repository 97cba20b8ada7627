import { ActionIcon, Tooltip } from '@mantine/core';
import { Ban, type LucideIcon, RotateCw } from 'lucide-react';

import { api, unwrap } from '../../api/client';
import type { Message } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import { CopyButton } from '../../components/copy-button';
import { RowActions } from '../../components/row-actions';
import { isCancelable, isResendable } from './message-status';
import { useMessageAction } from './use-message-action';

interface Props {
  message: Message;
}

/** What can be done with a message of the list. */
export function RowMessageActions({ message }: Props) {
  const isAdmin = useIsAdmin();
  return (
    <RowActions>
      {isAdmin && isCancelable(message) && <Cancel message={message} />}
      {isAdmin && isResendable(message) && <Resend message={message} />}
      <CopyButton value={message.to} label={`Copy ${message.to}`} />
    </RowActions>
  );
}

const pathOf = ({ id }: Message) => ({ params: { path: { id } } });

function Cancel({ message }: Props) {
  const cancel = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/cancel', pathOf(message))),
    successMessage: `The message to ${message.to} has been canceled.`,
  });
  const ask = () =>
    confirmAction({
      title: 'Cancel this message?',
      children: `It will not be sent to ${message.to}. You can resend it later.`,
      confirm: 'Cancel message',
      dismiss: 'Keep message',
      onConfirm: cancel.mutate,
    });
  return <Action label={`Cancel message to ${message.to}`} icon={Ban} isBusy={cancel.isPending} onClick={ask} />;
}

function Resend({ message }: Props) {
  const resend = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/resend', pathOf(message))),
    successMessage: `The message to ${message.to} has been resent.`,
  });
  const ask = () =>
    confirmAction({
      title: 'Resend this message?',
      children: `Its content is sent to ${message.to} as a new message, which counts toward the daily limit. If it has been resent before, nothing is sent.`,
      confirm: 'Resend',
      isDangerous: false,
      onConfirm: resend.mutate,
    });
  return <Action label={`Resend message to ${message.to}`} icon={RotateCw} isBusy={resend.isPending} onClick={ask} />;
}

interface ActionProps {
  label: string;
  icon: LucideIcon;
  isBusy: boolean;
  onClick: () => void;
}

const Action = ({ label, icon: Icon, isBusy, onClick }: ActionProps) => (
  <Tooltip label={label} openDelay={300}>
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} loading={isBusy} onClick={onClick}>
      <Icon size={14} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
