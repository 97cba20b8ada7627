import { Button, Group, NativeSelect, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Languages } from 'lucide-react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { changeLanguage } from '../../app/change-language';
import { Logo } from '../../app/logo';
import { beginSession, useSession } from '../../app/session';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';
import { usePageTitle } from '../../components/use-page-title';
import { language, LANGUAGES, type Language } from '../../texts/language';
import { t } from '../../texts/text';

export default function LoginPage() {
  usePageTitle(t('common.action.signIn'));
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const session = useSession();
  const back = pathIn(params.get('back'));
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const logIn = useAction({
    run: (body: typeof form.values) => unwrap(api.POST('/api/auth/login', { body })),
    isErrorShownInForm: true,
    onSuccess: (session) => {
      queryClient.clear();
      beginSession(session);
      void navigate(back, { replace: true });
    },
  });
  if (session) return <Navigate to={back} replace />;
  return (
    <Stack mih="100dvh" p="md" align="center" justify="center" component="main">
      <Paper className="panel" w="100%" maw={380} p="xl">
        <form
          onSubmit={form.onSubmit((values) => {
            logIn.mutate(values);
          })}
        >
          <Stack>
            <Group gap="sm">
              <Logo size={32} />
              <Title order={1}>{t('common.action.signIn')}</Title>
            </Group>
            <FormError error={logIn.error} />
            <TextInput
              label={t('common.field.email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label={t('common.field.password')}
              autoComplete="current-password"
              required
              withAsterisk={false}
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={logIn.isPending} fullWidth>
              {t('common.action.signIn')}
            </Button>
          </Stack>
        </form>
      </Paper>
      <NativeSelect
        size="xs"
        variant="unstyled"
        aria-label={t('common.language')}
        leftSection={<Languages size={14} aria-hidden />}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={({ currentTarget: { value } }) => changeLanguage(value as Language)}
      />
    </Stack>
  );
}

/** Accepts paths of the dashboard only, so that the login is not an open redirect. */
const pathIn = (back: string | null): string => (back && /^\/(?![/\\])/.test(back) ? back : '/');
