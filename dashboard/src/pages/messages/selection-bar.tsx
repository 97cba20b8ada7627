import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { modals } from '@mantine/modals';
import { useState } from 'react';

import type { Message } from '../../api/types';
import { confirmAction } from '../../components/confirm-action';
import { BulkFailures } from './bulk-failures';
import { type BulkResult, cancelMessages, MAX_SELECTED, resendMessages } from './bulk-actions';
import { isCancelable, isResendable } from './message-status';
import { useMessageAction } from './use-message-action';

interface Props {
  messages: readonly Message[];
  onClear: () => void;
}

/** The number of selected messages and what can be done with them. */
export function SelectionBar({ messages, onClear }: Props) {
  const cancelable = messages.filter(isCancelable);
  const resendable = messages.filter(isResendable);
  const finish = (past: string) => (result: BulkResult) => {
    onClear();
    showResult(past, result);
  };
  return (
    <Group role="group" aria-label="Selected messages" className="selection-bar" gap="xs">
      <Text size="sm" role="status" className="selection-count">
        <strong>{messages.length.toLocaleString()} selected</strong>
        <span className="dimmed">{messages.length === MAX_SELECTED ? ', the maximum' : ' · refreshing is paused'}</span>
      </Text>
      <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
        Clear selection
      </Button>
      {resendable.length > 0 && <ResendButton messages={resendable} onDone={finish('resent')} />}
      {cancelable.length > 0 && <CancelButton messages={cancelable} onDone={finish('canceled')} />}
    </Group>
  );
}

interface ActionProps {
  messages: readonly Message[];
  onDone: (result: BulkResult) => void;
}

function CancelButton({ messages, onDone }: ActionProps) {
  const cancel = useMessageAction({ run: () => cancelMessages(messages), onSuccess: onDone });
  const ask = () =>
    confirmAction({
      title: `Cancel ${counted(messages)}?`,
      children: 'They will not be sent. You can resend them later.',
      confirm: messages.length === 1 ? 'Cancel message' : 'Cancel messages',
      dismiss: messages.length === 1 ? 'Keep message' : 'Keep messages',
      onConfirm: cancel.mutate,
    });
  return (
    <Button color="red.8" size="xs" loading={cancel.isPending} onClick={ask}>
      Cancel {counted(messages)}
    </Button>
  );
}

function ResendButton({ messages, onDone }: ActionProps) {
  const [done, setDone] = useState(0);
  const resend = useMessageAction({ run: () => resendMessages(messages, setDone), onSuccess: onDone });
  const ask = () =>
    confirmAction({
      title: `Resend ${counted(messages)}?`,
      children:
        'The contents are sent again as new messages, which count toward the daily limit. Messages that have been resent before are not sent again.',
      confirm: 'Resend',
      isDangerous: false,
      onConfirm: resend.mutate,
    });
  return (
    <Button variant="default" size="xs" disabled={resend.isPending} onClick={ask}>
      {resend.isPending
        ? `Resending ${done.toLocaleString()} of ${messages.length.toLocaleString()}`
        : `Resend ${counted(messages)}`}
    </Button>
  );
}

const counted = ({ length }: { length: number }): string =>
  `${length.toLocaleString()} ${length === 1 ? 'message' : 'messages'}`;

function showResult(past: string, { succeeded, failures }: BulkResult): void {
  const summary = `${counted({ length: succeeded })} ${past}`;
  if (failures.length === 0) notifications.show({ color: 'teal', message: `${summary}.` });
  else
    modals.open({
      title: `${summary}, ${failures.length.toLocaleString()} not`,
      size: 'xl',
      children: <BulkFailures failures={failures} />,
    });
}
