import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import type { Topic } from './use-topics';

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;
const VISIBILITIES = ['public', 'private'] as const satisfies readonly Topic['visibility'][];
const DEFAULTS = ['in', 'out'] as const satisfies readonly Topic['byDefault'][];

type Values = Pick<Topic, 'name' | 'description' | 'visibility' | 'byDefault'>;

const NEW: Values = { name: '', description: '', visibility: 'public', byDefault: 'in' };

/** Creates a topic, or changes one. */
export function TopicDialog({ topic, onClose }: { topic: Topic | null; onClose: () => void }) {
  const [values, setValues] = useState<Values>(topic ?? NEW);
  const change = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const save = useAction({
    run: (body: Values) =>
      unwrap(
        topic === null
          ? api.POST('/api/topics', { body })
          : api.PATCH('/api/topics/{id}', { params: { path: { id: topic.id } }, body }),
      ),
    successMessage: ({ name }) => t(topic === null ? 'topics.created' : 'topics.changed', { name }),
    invalidates: [['topics'], ['consent-coverage']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={topic === null ? t('topics.new') : t('topics.edit.title', { name: topic.name })}
      submit={t(topic === null ? 'topics.create' : 'topics.save')}
      action={save}
      onSubmit={(event) => {
        event.preventDefault();
        const { name, description, visibility, byDefault } = values;
        save.mutate({ name: name.trim(), description: description.trim(), visibility, byDefault });
      }}
    >
      <TextInput
        label={t('common.field.name')}
        required
        maxLength={MAX_NAME_LENGTH}
        data-autofocus
        value={values.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <Textarea
        label={t('topics.field.description')}
        description={t('topics.field.description.help')}
        maxLength={MAX_DESCRIPTION_LENGTH}
        value={values.description}
        // The API takes a single line.
        onChange={({ currentTarget: { value } }) => change({ description: value.replaceAll('\n', ' ') })}
      />
      <Select
        label={t('topics.column.visibility')}
        allowDeselect={false}
        data={VISIBILITIES.map((value) => ({ value, label: t(`topics.visibility.${value}.long`) }))}
        value={values.visibility}
        onChange={(value) => value !== null && change({ visibility: value })}
      />
      <Select
        label={t('topics.column.byDefault')}
        allowDeselect={false}
        data={DEFAULTS.map((value) => ({ value, label: t(`topics.byDefault.${value}.long`) }))}
        value={values.byDefault}
        onChange={(value) => value !== null && change({ byDefault: value })}
      />
    </FormModal>
  );
}
