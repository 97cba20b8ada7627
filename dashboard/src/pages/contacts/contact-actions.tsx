import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { DangerButton } from '../../components/danger-button';
import { withdrawUndo } from '../../components/offer-undo';
import { removeSuppression } from '../../components/remove-suppression';
import { useAction } from '../../components/use-action';
import { UNGUARDED } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import type { Contact } from './contact-status';

export function ContactActions({ contact: { id, email, status } }: { contact: Contact }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const unsubscribe = useAction({
    run: () => unsubscribeContact(id),
    successMessage: ({ isNew }) =>
      isNew ? t('contacts.unsubscribed', { email }) : t('common.suppressedAlready', { address: email }),
    undo: ({ entry }) =>
      entry && {
        run: () => removeSuppression({ ...entry, address: email }),
        successMessage: t('contacts.resubscribed', { email }),
      },
    invalidates: [['contacts'], ['contact', id], ['suppressions'], ['consents']],
  });
  const remove = useAction({
    run: () => {
      withdrawUndo();
      return unwrap(api.DELETE('/api/contacts/{id}', path));
    },
    deletes: [['contact', id]],
    successMessage: t('contacts.deleted', { email }),
    invalidates: [['contacts']],
    onSuccess: () => void navigate('/contacts', UNGUARDED),
  });
  const erase = useAction({
    run: () => {
      withdrawUndo();
      return unwrap(api.POST('/api/contacts/{id}/erase', path));
    },
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

/**
 * Unsubscribes the contact unless its address is suppressed by now: the page may be out of date. `entry` is the
 * suppression that this added, if it is still as it was added.
 */
async function unsubscribeContact(id: string) {
  const path = { params: { path: { id } } };
  const { status } = await unwrap(api.GET('/api/contacts/{id}', path));
  if (status !== 'active') return { isNew: false };
  const { email } = await unwrap(api.PATCH('/api/contacts/{id}', { ...path, body: { status: 'unsubscribed' } }));
  const query = { channel: 'email', reason: 'unsubscribed', search: email, limit: 100 } as const;
  // Without the entry there is nothing to undo, but the contact is unsubscribed.
  const added = await unwrap(api.GET('/api/suppressions', { params: { query } })).catch(() => null);
  const entry = added?.items.find(({ contactId, source }) => contactId === id && source === 'dashboard');
  return { isNew: true, entry };
}
