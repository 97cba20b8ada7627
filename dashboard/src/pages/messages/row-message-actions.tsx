import { Ban, RotateCw } from 'lucide-react';

import { api, unwrap } from '../../api/client';
import type { Message } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import { CopyRowAction } from '../../components/copy-button';
import { RowAction, RowActions } from '../../components/row-actions';
import { t } from '../../texts/text';
import { isCancelable, isResendable } from './message-status';
import { useMessageAction } from './use-message-action';

interface Props {
  message: Message;
}

/** The actions for a message of the list. */
export function RowMessageActions({ message }: Props) {
  const isAdmin = useIsAdmin();
  return (
    <RowActions>
      {isAdmin && isCancelable(message) && <Cancel message={message} />}
      {isAdmin && isResendable(message) && <Resend message={message} />}
      <CopyRowAction value={message.to} label={t('messages.copyRecipient', { to: message.to })} />
    </RowActions>
  );
}

const pathOf = ({ id }: Message) => ({ params: { path: { id } } });

function Cancel({ message }: Props) {
  const cancel = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/cancel', pathOf(message))),
    successMessage: t('messages.cancel.doneTo', { to: message.to }),
  });
  const ask = () =>
    confirmAction({
      title: t('messages.cancel.title'),
      children: t('messages.cancel.text', { to: message.to }),
      confirm: t('messages.cancel'),
      dismiss: t('messages.cancel.dismiss'),
      onConfirm: cancel.mutate,
    });
  return (
    <RowAction
      label={t('messages.cancel.label', { to: message.to })}
      icon={Ban}
      isBusy={cancel.isPending}
      onClick={ask}
    />
  );
}

function Resend({ message }: Props) {
  const resend = useMessageAction({
    run: () => unwrap(api.POST('/api/messages/{id}/resend', pathOf(message))),
    successMessage: t('messages.resend.doneTo', { to: message.to }),
  });
  const ask = () =>
    confirmAction({
      title: t('messages.resend.title'),
      children: t('messages.resend.text', { to: message.to }),
      confirm: t('messages.resend'),
      isDangerous: false,
      onConfirm: resend.mutate,
    });
  return (
    <RowAction
      label={t('messages.resend.label', { to: message.to })}
      icon={RotateCw}
      isBusy={resend.isPending}
      onClick={ask}
    />
  );
}
