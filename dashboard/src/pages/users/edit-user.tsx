import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { changedFields } from '../../components/changed-fields';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { RoleField } from './role-field';

export function EditUser({ user, onClose }: { user: Schemas['UserResponse']; onClose: () => void }) {
  const { id, email, role } = user;
  const form = useForm({ initialValues: { email, role, password: '' } });
  const change = useAction({
    run: (body: Schemas['ChangeUserDto']) => unwrap(api.PATCH('/api/users/{id}', { params: { path: { id } }, body })),
    successMessage: (changed) => t('users.changed', { email: changed.email }),
    invalidates: [['users'], ['me']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('users.edit', { email })}
      submit={t('common.action.save')}
      action={change}
      onSubmit={form.onSubmit((values) => change.mutate(changedFields(form.getInitialValues(), values)))}
    >
      <TextInput
        label={t('common.field.email')}
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleField {...form.getInputProps('role')} />
      <PasswordInput
        label={t('common.password.new')}
        description={t('users.edit.password')}
        autoComplete="new-password"
        minLength={8}
        {...form.getInputProps('password')}
      />
    </FormModal>
  );
}
