import { MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import type { Keep } from '../../components/show-stored';
import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import { changesTo, isKey, rebase, rowsOf } from './attributes';
import { AttributesField } from './attributes-field';
import type { Contact } from './contact-status';

const MAX_LENGTH = 200;
const MAX_TAGS = 100;

/** The editable fields of a contact as form values. */
export const fieldsOf = (contact?: Contact) => ({
  firstName: contact?.firstName ?? '',
  lastName: contact?.lastName ?? '',
  company: contact?.company ?? '',
  attributes: rowsOf(contact?.attributes),
  tags: contact?.tags ?? [],
  listIds: contact?.listIds ?? [],
});

export type ContactValues = ReturnType<typeof fieldsOf>;

/** Converts form values to an API request. `former` is the contact as the form showed it first. */
export const toContact = ({ firstName, lastName, company, attributes, ...sets }: ContactValues, former?: Contact) => ({
  firstName: firstName.trim() || null,
  lastName: lastName.trim() || null,
  company: company.trim() || null,
  attributes: changesTo(attributes, former?.attributes),
  ...sets,
});

/** Keeps only the edited attributes, not all of them. */
export const keepAttributes: Keep<ContactValues> = (edited, shown, stored, former) =>
  edited.attributes
    ? { ...edited, attributes: rebase(former.attributes, shown.attributes, stored.attributes) }
    : edited;

export const useContactForm = (initialValues: ContactValues) =>
  useForm<ContactValues>({
    initialValues,
    validate: {
      attributes: (rows) =>
        rows.every(({ key }) => key.trim() === '' || isKey(key.trim())) ? null : t('contacts.attributes.invalidName'),
    },
  });

interface Props {
  form: ReturnType<typeof useContactForm>;
  isReadOnly?: boolean;
}

export function ContactFields({ form, isReadOnly = false }: Props) {
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
      <AttributesField
        value={form.values.attributes}
        onChange={(rows) => form.setFieldValue('attributes', rows)}
        isReadOnly={isReadOnly}
      />
    </>
  );
}
