import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { RoleField } from './role-field';

const NEW: Schemas['CreateUserDto'] = { email: '', password: '', role: 'member' };

export function AddUser({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: NEW });
  const add = useAction({
    run: (body: Schemas['CreateUserDto']) => unwrap(api.POST('/api/users', { body })),
    successMessage: ({ email }) => t('users.added', { email }),
    invalidates: [['users']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('users.add.title')}
      submit={t('users.add')}
      action={add}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput
        label={t('common.field.email')}
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('common.field.password')}
        description={t('users.add.password')}
        autoComplete="new-password"
        required
        minLength={8}
        {...form.getInputProps('password')}
      />
      <RoleField {...form.getInputProps('role')} />
    </FormModal>
  );
}
