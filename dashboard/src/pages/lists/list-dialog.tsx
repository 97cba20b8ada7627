import { TextInput } from '@mantine/core';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import type { ContactList } from './use-lists';

const MAX_NAME_LENGTH = 100;

/** Creates a list, or renames one. */
export function ListDialog({ list, onClose }: { list: ContactList | null; onClose: () => void }) {
  const [name, setName] = useState(list?.name ?? '');
  const save = useAction({
    run: (body: { name: string }) =>
      unwrap(
        list === null
          ? api.POST('/api/lists', { body })
          : api.PATCH('/api/lists/{id}', { params: { path: { id: list.id } }, body }),
      ),
    successMessage: (saved) => t(list === null ? 'lists.created' : 'lists.renamed', { name: saved.name }),
    invalidates: [['lists']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={list === null ? t('lists.new') : t('lists.rename.title', { name: list.name })}
      submit={t(list === null ? 'lists.create' : 'lists.rename')}
      action={save}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ name: name.trim() });
      }}
    >
      <TextInput
        label={t('common.field.name')}
        required
        maxLength={MAX_NAME_LENGTH}
        data-autofocus
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
    </FormModal>
  );
}
