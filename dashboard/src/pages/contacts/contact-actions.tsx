import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { answerOf, api } from '../../api/client';
import { askFirst } from '../../components/confirm';
import { useAction } from '../../components/use-action';
import type { Contact } from './contact-status';

export function ContactActions({ contact: { id, email, status } }: { contact: Contact }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const unsubscribe = useAction({
    run: () => answerOf(api.PATCH('/api/contacts/{id}', { ...path, body: { status: 'unsubscribed' } })),
    done: `${email} is unsubscribed.`,
    changes: [['contacts'], ['suppressions']],
  });
  const remove = useAction({
    run: () => answerOf(api.DELETE('/api/contacts/{id}', path)),
    done: `${email} is deleted.`,
    changes: [['contacts']],
    onDone: () => void navigate('/contacts'),
  });
  const askToUnsubscribe = () =>
    askFirst({
      title: `Unsubscribe ${email}?`,
      children: 'The address is suppressed: sends to it are refused. Only lifting the suppression undoes it.',
      confirm: 'Unsubscribe',
      onConfirm: unsubscribe.mutate,
    });
  const askToDelete = () =>
    askFirst({
      title: `Delete ${email}?`,
      children: 'The contact goes; messages to it stay, and if its address is suppressed, it stays so.',
      confirm: 'Delete contact',
      onConfirm: remove.mutate,
    });
  return (
    <>
      <Button variant="subtle" color="red" onClick={askToDelete} loading={remove.isPending}>
        Delete
      </Button>
      {status === 'active' && (
        <Button variant="default" onClick={askToUnsubscribe} loading={unsubscribe.isPending}>
          Unsubscribe
        </Button>
      )}
    </>
  );
}
