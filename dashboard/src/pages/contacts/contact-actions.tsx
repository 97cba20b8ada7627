import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { DangerButton } from '../../components/danger-button';
import { undoSuppression } from '../../components/undo-suppression';
import { useAction } from '../../components/use-action';
import { UNGUARDED } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import type { Contact } from './contact-status';

export function ContactActions({ contact: { id, email, status } }: { contact: Contact }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const unsubscribe = useAction({
    run: () => unwrap(api.PATCH('/api/contacts/{id}', { ...path, body: { status: 'unsubscribed' } })),
    successMessage: t('contacts.unsubscribed', { email }),
    // An active contact has no suppression, so the new one has to be removed and nothing else.
    undo: () => ({
      run: () =>
        undoSuppression({
          address: email,
          channel: 'email',
          reason: 'unsubscribed',
          isEntry: ({ contactId }) => contactId === id,
        }),
      successMessage: t('contacts.resubscribed', { email }),
    }),
    invalidates: [['contacts'], ['contact', id], ['suppressions']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/contacts/{id}', path)),
    successMessage: t('contacts.deleted', { email }),
    invalidates: [['contacts']],
    onSuccess: () => void navigate('/contacts', UNGUARDED),
  });
  const erase = useAction({
    run: () => unwrap(api.POST('/api/contacts/{id}/erase', path)),
    successMessage: t('contacts.erased'),
    invalidates: [['contacts'], ['messages'], ['message'], ['suppressions']],
    onSuccess: () => void navigate('/contacts', UNGUARDED),
  });
  return (
    <>
      <DangerButton
        label={t('contacts.erase')}
        title={t('contacts.erase.title', { email })}
        confirm={t('contacts.erase.confirm')}
        isBusy={erase.isPending}
        onConfirm={erase.mutate}
      >
        {t('contacts.erase.text')}
      </DangerButton>
      <DangerButton
        label={t('common.action.delete')}
        title={t('contacts.delete.title', { email })}
        confirm={t('contacts.delete.confirm')}
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        {t('contacts.delete.text')}
      </DangerButton>
      {status === 'active' && (
        <Button variant="default" onClick={() => unsubscribe.mutate()} loading={unsubscribe.isPending}>
          {t('contacts.unsubscribe')}
        </Button>
      )}
    </>
  );
}
