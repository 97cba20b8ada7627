import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import { unwrap, api } from '../api/client';
import type { Schemas } from '../api/types';
import { FormModal } from '../components/form-modal';
import { useAction } from '../components/use-action';
import { t } from '../texts/text';
import { beginSession, getActor } from './session';

const EMPTY: Schemas['ChangePasswordDto'] = { currentPassword: '', password: '' };

/** Changes the user's own password. It ends the user's other sessions; this one continues with a new token. */
export default function ChangePassword({ email, onClose }: { email: string; onClose: () => void }) {
  const form = useForm({ initialValues: EMPTY });
  const change = useAction({
    run: async (body: Schemas['ChangePasswordDto']) => {
      const actor = getActor();
      const session = await unwrap(api.PATCH('/api/auth/me', { body }));
      if (getActor() === actor) beginSession(session); // even if the dialog was closed: the old token has ended
    },
    successMessage: () => t('common.password.changed'),
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('common.password.change')}
      submit={t('common.action.changePassword')}
      action={change}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t('common.password.current')}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label={t('common.password.new')}
        description={t('common.password.rules')}
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={200}
        {...form.getInputProps('password')}
      />
    </FormModal>
  );
}
