import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { answerOf, api } from '../../api/client';
import { askFirst } from '../../components/confirm';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import type { Contact } from './contact-status';

export function ContactActions({ contact: { id, email, status } }: { contact: Contact }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const unsubscribe = useAction({
    run: () => answerOf(api.PATCH('/api/contacts/{id}', { ...path, body: { status: 'unsubscribed' } })),
    done: `${email} is unsubscribed.`,
    changes: [['contacts'], ['contact', id], ['suppressions']],
  });
  const remove = useAction({
    run: () => answerOf(api.DELETE('/api/contacts/{id}', path)),
    done: `${email} is deleted.`,
    changes: [['contacts']],
    onDone: () => void navigate('/contacts'),
  });
  const erase = useAction({
    run: () => answerOf(api.POST('/api/contacts/{id}/erase', path)),
    done: 'The person is erased.',
    changes: [['contacts'], ['messages'], ['message'], ['suppressions']],
    onDone: () => void navigate('/contacts'),
  });
  const askToUnsubscribe = () =>
    askFirst({
      title: `Unsubscribe ${email}?`,
      children: 'The address is suppressed: sends to it are refused. Only lifting the suppression undoes it.',
      confirm: 'Unsubscribe',
      onConfirm: unsubscribe.mutate,
    });
  return (
    <>
      <DangerButton
        label="Erase"
        title={`Erase ${email} for good?`}
        confirm="Erase for good"
        isBusy={erase.isPending}
        onConfirm={erase.mutate}
      >
        For somebody who asks to be forgotten: the contact, and what messages, their contents, timelines and reports
        hold of the person, are removed; waiting messages are not sent. Counts stay, and the address can never be sent
        to again. This cannot be undone.
      </DangerButton>
      <DangerButton
        label="Delete"
        title={`Delete ${email}?`}
        confirm="Delete contact"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        The contact goes; messages to it stay, and if its address is suppressed, it stays so.
      </DangerButton>
      {status === 'active' && (
        <Button variant="default" onClick={askToUnsubscribe} loading={unsubscribe.isPending}>
          Unsubscribe
        </Button>
      )}
    </>
  );
}
