import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../api/client';
import { FormError } from '../components/form-error';
import { useAction } from '../components/use-action';
import { ifLeaving } from '../components/use-unsaved-guard';
import { t } from '../texts/text';
import { beginSession, type Session } from './session';
import { signOut } from './sign-out';

/** Places the sign-in above other dialogs, but below the question whether to discard unsaved changes. */
export const Z_INDEX = 400;

/** Covers the page when the session expires. Unsaved input is kept. */
export function SignInAgain({ session: { user } }: { session: Session }) {
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const logIn = useAction({
    run: () => unwrap(api.POST('/api/auth/login', { body: { email: user.email, password } })),
    isErrorShownInForm: true,
    onSuccess: (session) => {
      beginSession(session);
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Modal
      opened
      onClose={signOut}
      title={t('common.signInAgain')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={Z_INDEX}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          logIn.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{t('common.signInAgain.text')}</Text>
          <FormError error={logIn.error} />
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            label={t('common.signInAgain.password', { email: user.email })}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            data-mantine-stop-propagation // Escape must not close a dialog underneath
            value={password}
            onChange={({ currentTarget: { value } }) => setPassword(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => ifLeaving(signOut)}>
              {t('common.action.signOut')}
            </Button>
            <Button type="submit" loading={logIn.isPending}>
              {t('common.action.signIn')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
