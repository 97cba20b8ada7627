import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { modals } from '@mantine/modals';
import { useState } from 'react';

import type { Message } from '../../api/types';
import { confirmAction } from '../../components/confirm-action';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { BulkFailures } from './bulk-failures';
import { type BulkResult, cancelMessages, resendMessages } from './bulk-actions';
import { MAX_SELECTED } from './max-selected';
import { isCancelable, isResendable } from './message-status';
import { useMessageAction } from './use-message-action';

interface Props {
  messages: readonly Message[];
  onClear: () => void;
}

/** The number of selected messages and the actions for them. */
export default function SelectionBar({ messages, onClear }: Props) {
  const cancelable = messages.filter(isCancelable);
  const resendable = messages.filter(isResendable);
  return (
    <Group role="group" aria-label={t('messages.selection')} className="selection-bar" gap="xs">
      <Text size="sm" role="status" className="selection-count">
        <RichText
          id={messages.length === MAX_SELECTED ? 'messages.selection.maximum' : 'messages.selection.count'}
          values={{ count: messages.length }}
          tags={{ number: <strong />, hint: <span className="dimmed" /> }}
        />
      </Text>
      <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
        {t('messages.selection.clear')}
      </Button>
      {resendable.length > 0 && <ResendButton messages={resendable} onDone={onClear} />}
      {cancelable.length > 0 && <CancelButton messages={cancelable} onDone={onClear} />}
    </Group>
  );
}

type BulkAction = 'cancel' | 'resend';

interface ActionProps {
  messages: readonly Message[];
  onDone: () => void;
}

function CancelButton({ messages, onDone }: ActionProps) {
  const count = messages.length;
  const cancel = useMessageAction({
    run: (asked: readonly Message[]) => cancelMessages(asked),
    report: (result) => showResult('cancel', result),
    onSuccess: onDone,
  });
  const ask = () =>
    confirmAction({
      title: t('messages.selection.cancel.title', { count }),
      children: t('messages.selection.cancel.text', { count }),
      confirm: t('messages.selection.cancel.confirm', { count }),
      dismiss: t('messages.selection.cancel.dismiss', { count }),
      onConfirm: () => cancel.mutate(messages),
    });
  return (
    <Button color="red.8" size="xs" loading={cancel.isPending} onClick={ask}>
      {t('messages.selection.cancel', { count })}
    </Button>
  );
}

function ResendButton({ messages, onDone }: ActionProps) {
  const [done, setDone] = useState(0);
  const count = messages.length;
  const resend = useMessageAction({
    run: (asked: readonly Message[]) => resendMessages(asked, setDone),
    report: (result) => showResult('resend', result),
    onSuccess: onDone,
  });
  const ask = () =>
    confirmAction({
      title: t('messages.selection.resend.title', { count }),
      children: t('messages.selection.resend.text', { count }),
      confirm: t('messages.resend'),
      isDangerous: false,
      onConfirm: () => resend.mutate(messages),
    });
  return (
    <Button variant="default" size="xs" disabled={resend.isPending} onClick={ask}>
      {resend.isPending
        ? t('messages.selection.resend.progress', { done, count })
        : t('messages.selection.resend', { count })}
    </Button>
  );
}

function showResult(action: BulkAction, { succeeded, failures }: BulkResult): void {
  if (failures.length === 0)
    notifications.show({ color: 'teal', message: t(`messages.selection.${action}.done`, { count: succeeded }) });
  else
    modals.open({
      title: t(`messages.selection.${action}.partlyDone`, { count: succeeded, failed: failures.length }),
      size: 'xl',
      children: <BulkFailures failures={failures} />,
    });
}
