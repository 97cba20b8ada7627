import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { RoleField } from './role-field';

export function EditUser({ user, onClose }: { user: Schemas['UserResponse']; onClose: () => void }) {
  const { id, email, role } = user;
  const form = useForm({ initialValues: { email, role, password: '' } });
  const change = useAction({
    run: ({ password, ...body }: typeof form.values) =>
      unwrap(
        api.PATCH('/api/users/{id}', {
          params: { path: { id } },
          body: password === '' ? body : { ...body, password },
        }),
      ),
    successMessage: (changed) => `${changed.email} has been updated.`,
    invalidates: [['users'], ['me']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${email}`}
      submit="Save"
      action={change}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <TextInput label="Email" type="email" required data-autofocus {...form.getInputProps('email')} />
      <RoleField {...form.getInputProps('role')} />
      <PasswordInput
        label="New password"
        description="Leave empty to keep the current password. A new password signs the user out everywhere."
        autoComplete="new-password"
        minLength={8}
        {...form.getInputProps('password')}
      />
    </FormModal>
  );
}
