import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { PageHeader } from '../../components/page-header';
import { LoadError, Loading } from '../../components/states';
import { t } from '../../texts/text';
import { AccountSettings } from './account-settings';
import { SesSettings } from './ses-settings';
import { SmsAccount } from './sms-account';
import { SmsSettings } from './sms-settings';
import { SmtpSettings } from './smtp-settings';

export default function SettingsPage() {
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
  });
  return (
    <>
      <PageHeader
        title={t('common.section.settings')}
        description={t(isAdmin ? 'settings.description' : 'settings.description.member')}
      />
      {data ? (
        <Stack gap="md" maw={760}>
          <AccountSettings settings={data} isAdmin={isAdmin} />
          <SmtpSettings settings={data} isAdmin={isAdmin} />
          <SesSettings settings={data} isAdmin={isAdmin} />
          <SmsSettings settings={data} isAdmin={isAdmin} />
          {data.sms && <SmsAccount sms={data.sms} isAdmin={isAdmin} />}
        </Stack>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}
