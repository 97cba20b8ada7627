import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';

export function AddDomain({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
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
      opened={isOpen}
      onClose={onClose}
      title="Add a domain"
      submit="Add domain"
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput
        label="Domain"
        description="The part after the @ in the addresses you send from."
        placeholder="example.com"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  );
}
