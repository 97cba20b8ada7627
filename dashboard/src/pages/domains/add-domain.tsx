import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

const EXAMPLE = 'example.com';

export function AddDomain({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '' } });
  const add = useAction({
    run: ({ name }: typeof form.values) => unwrap(api.POST('/api/domains', { body: { name: name.trim() } })),
    invalidates: [['domains']],
    isErrorShownInForm: true,
    onSuccess: ({ id }) => void navigate(`/domains/${id}`),
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('domains.add.title')}
      submit={t('domains.add')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput
        label={t('domains.column.domain')}
        description={t('domains.add.description')}
        placeholder={EXAMPLE}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
