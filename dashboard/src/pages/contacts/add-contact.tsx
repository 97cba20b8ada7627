import { TextInput } from '@mantine/core';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { ContactFields, fieldsOf, toContact, useContactForm } from './contact-fields';

export default function AddContact({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const form = useContactForm(fieldsOf());
  const add = useAction({
    run: (body: Schemas['UpsertContactDto']) => unwrap(api.POST('/api/contacts', { body })),
    successMessage: (contact) => `${contact.email} has been saved.`,
    invalidates: [['contacts']],
    isErrorShownInForm: true,
    onSuccess: () => close(),
  });
  const close = () => {
    form.reset();
    setEmail('');
    onClose();
  };
  return (
    <FormModal
      opened={isOpen}
      onClose={close}
      title="Add a contact"
      submit="Add contact"
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate({ ...onlyGiven(toContact(values)), email: email.trim() }))}
    >
      <TextInput
        label="Email address"
        description="If a contact with this address exists, the fields you fill in replace its current values."
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
    Object.entries(fields).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null)),
  );
