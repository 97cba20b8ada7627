import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { confirmAction } from '../../components/confirm-action';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import type { Contact } from './contact-status';

export function ContactActions({ contact: { id, email, status } }: { contact: Contact }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const unsubscribe = useAction({
    run: () => unwrap(api.PATCH('/api/contacts/{id}', { ...path, body: { status: 'unsubscribed' } })),
    successMessage: `${email} has been unsubscribed.`,
    invalidates: [['contacts'], ['contact', id], ['suppressions']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/contacts/{id}', path)),
    successMessage: `${email} has been deleted.`,
    invalidates: [['contacts']],
    onSuccess: () => void navigate('/contacts'),
  });
  const erase = useAction({
    run: () => unwrap(api.POST('/api/contacts/{id}/erase', path)),
    successMessage: 'The contact has been erased.',
    invalidates: [['contacts'], ['messages'], ['message'], ['suppressions']],
    onSuccess: () => void navigate('/contacts'),
  });
  const confirmUnsubscribe = () =>
    confirmAction({
      title: `Unsubscribe ${email}?`,
      children: 'The address will be suppressed, so messages to it are rejected. To undo this, remove the suppression.',
      confirm: 'Unsubscribe',
      onConfirm: unsubscribe.mutate,
    });
  return (
    <>
      <DangerButton
        label="Erase"
        title={`Permanently erase ${email}?`}
        confirm="Erase permanently"
        isBusy={erase.isPending}
        onConfirm={erase.mutate}
      >
        Use this when somebody asks to be forgotten. It removes the contact and the personal data in messages, their
        content, timelines and reports. Queued messages are not sent. Totals are kept, and the address can never be sent
        to again. This cannot be undone.
      </DangerButton>
      <DangerButton
        label="Delete"
        title={`Delete ${email}?`}
        confirm="Delete contact"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        The contact is deleted. Its messages are kept, and if its address is suppressed, it stays suppressed.
      </DangerButton>
      {status === 'active' && (
        <Button variant="default" onClick={confirmUnsubscribe} loading={unsubscribe.isPending}>
          Unsubscribe
        </Button>
      )}
    </>
  );
}
