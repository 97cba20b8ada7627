import { Button, Fieldset, Group, Stack } from '@mantine/core';

import { unwrap, api } from '../../api/client';
import { FormError } from '../../components/form-error';
import { showStored, useReloaded } from '../../components/show-stored';
import { useAction } from '../../components/use-action';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import {
  ContactFields,
  type ContactValues,
  fieldsOf,
  keepAttributes,
  toContact,
  useContactForm,
} from './contact-fields';
import type { Contact } from './contact-status';

/** Read-only for members. Sends only the changed fields: an import may have changed others. */
export function EditContact({ contact, isAdmin }: { contact: Contact; isAdmin: boolean }) {
  const { id } = contact;
  const form = useContactForm(fieldsOf(contact));
  useUnsavedGuard(form.isDirty());
  const change = useAction({
    run: (values: ContactValues) => {
      const changed = Object.entries(toContact(values, contact)).filter(([name]) => form.isDirty(name));
      return unwrap(api.PATCH('/api/contacts/{id}', { params: { path: { id } }, body: Object.fromEntries(changed) }));
    },
    successMessage: t('contacts.saved'),
    invalidates: [['contacts'], ['contact', id]],
    isErrorShownInForm: true,
    onSuccess: (saved, submitted) => showStored(form, fieldsOf(saved), submitted, keepAttributes),
  });
  useReloaded(form, fieldsOf(contact), change.isPending, keepAttributes);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Fieldset variant="unstyled" disabled={!isAdmin}>
        <Stack>
          <FormError error={change.error} />
          <ContactFields form={form} isReadOnly={!isAdmin} />
          {isAdmin && (
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
                {t('common.action.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}
