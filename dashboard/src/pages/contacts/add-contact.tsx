import { TextInput } from '@mantine/core';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { ContactFields, fieldsOf, toContact, useContactForm } from './contact-fields';

export default function AddContact({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const form = useContactForm(fieldsOf());
  const add = useAction({
    run: (body: Schemas['UpsertContactDto']) => unwrap(api.POST('/api/contacts', { body })),
    successMessage: ({ email: address }) => t('contacts.add.saved', { address }),
    invalidates: [['contacts']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('contacts.add.title')}
      submit={t('contacts.add')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate({ ...onlyGiven(toContact(values)), email: email.trim() }))}
    >
      <TextInput
        label={t('common.field.emailAddress')}
        description={t('contacts.add.emailDescription')}
        type="email"
        required
        data-autofocus
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value)}
      />
      <ContactFields form={form} />
    </FormModal>
  );
}

/** Omits empty fields, so that an existing contact keeps their values. */
const onlyGiven = (fields: ReturnType<typeof toContact>): Partial<typeof fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) =>
      typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : true,
    ),
  );
