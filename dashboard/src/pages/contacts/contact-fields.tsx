import { MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import type { Contact } from './contact-status';

const MAX_LENGTH = 200;
const MAX_TAGS = 100;

/** The editable fields of a contact as form values. */
export const fieldsOf = (contact?: Contact) => ({
  firstName: contact?.firstName ?? '',
  lastName: contact?.lastName ?? '',
  company: contact?.company ?? '',
  tags: contact?.tags ?? [],
  listIds: contact?.listIds ?? [],
});

export type ContactValues = ReturnType<typeof fieldsOf>;

/** Form values as an API request. */
export const toContact = ({ firstName, lastName, company, ...sets }: ContactValues) => ({
  firstName: firstName.trim() || null,
  lastName: lastName.trim() || null,
  company: company.trim() || null,
  ...sets,
});

export const useContactForm = (initialValues: ContactValues) => useForm<ContactValues>({ initialValues });

export function ContactFields({ form }: { form: ReturnType<typeof useContactForm> }) {
  const { optionsWith } = useLists();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('contacts.field.firstName')} maxLength={MAX_LENGTH} {...form.getInputProps('firstName')} />
        <TextInput label={t('contacts.field.lastName')} maxLength={MAX_LENGTH} {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label={t('contacts.field.company')} maxLength={MAX_LENGTH} {...form.getInputProps('company')} />
      <TagsInput
        label={t('common.column.tags')}
        description={t('contacts.field.tagsDescription')}
        maxTags={MAX_TAGS}
        acceptValueOnBlur
        {...form.getInputProps('tags')}
      />
      <MultiSelect
        label={t('common.section.lists')}
        data={optionsWith(form.values.listIds)}
        placeholder={form.values.listIds.length === 0 ? t('common.none') : undefined}
        searchable
        nothingFoundMessage={t('contacts.field.noMatchingLists')}
        {...form.getInputProps('listIds')}
      />
    </>
  );
}
