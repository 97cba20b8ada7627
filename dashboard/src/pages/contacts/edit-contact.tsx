import { Button, Fieldset, Group, Stack } from '@mantine/core';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { ContactFields, fieldsOf, toContact, useContactForm } from './contact-fields';
import type { Contact } from './contact-status';

/** Read-only for members. */
export function EditContact({ contact, isAdmin }: { contact: Contact; isAdmin: boolean }) {
  const { id } = contact;
  const form = useContactForm(fieldsOf(contact));
  useUnsavedGuard(form.isDirty());
  const change = useAction({
    run: (body: Schemas['ChangeContactDto']) =>
      unwrap(api.PATCH('/api/contacts/{id}', { params: { path: { id } }, body })),
    successMessage: t('contacts.saved'),
    invalidates: [['contacts'], ['contact', id]],
    isErrorShownInForm: true,
    onSuccess: (saved) => {
      form.setInitialValues(fieldsOf(saved));
      form.reset();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(toContact(values)))}>
      <Fieldset variant="unstyled" disabled={!isAdmin}>
        <Stack>
          <FormError error={change.error} />
          <ContactFields form={form} />
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
