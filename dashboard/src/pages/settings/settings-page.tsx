import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { PageHeader } from '../../components/page-header';
import { lazyPart } from '../../components/lazy-part';
import { LoadError, Loading } from '../../components/states';
import { t } from '../../texts/text';
import { AccountSettings } from './account-settings';
import { BrandingSettings } from './branding-settings';
import { PROVIDER_FORMS } from './provider-forms';
import { ProviderSettings } from './provider-settings';
import { EMAIL_PROVIDERS } from './use-settings-form';

/** Loaded after the page, which would be too large with them. */
const ConsentSettings = lazyPart(() => import('./consent-settings'));
const SmsRules = lazyPart(() => import('./sms-rules'));
const SmsAccount = lazyPart(() => import('./sms-account'));

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
          {data.warnings.map((warning) => (
            <Alert key={warning} color="yellow" title={t(`settings.warning.${warning}`)}>
              {t(`settings.warning.${warning}.text`)}
            </Alert>
          ))}
          <AccountSettings settings={data} isAdmin={isAdmin} />
          <BrandingSettings settings={data} isAdmin={isAdmin} />
          <ConsentSettings settings={data} isAdmin={isAdmin} />
          {EMAIL_PROVIDERS.map((provider) => (
            <ProviderSettings
              key={provider}
              section={provider}
              title={t(`settings.${provider}`)}
              description={data[provider] === null ? t(`settings.${provider}.notConfigured`) : undefined}
              isRemovable={data.emailProvider !== provider || PROVIDER_FORMS[provider].hasDefault}
              settings={data}
              isAdmin={isAdmin}
            />
          ))}
          <ProviderSettings section="sms" title={t('common.channel.sms')} settings={data} isAdmin={isAdmin} />
          {data.sms && <SmsRules settings={data} isAdmin={isAdmin} />}
          {data.sms && PROVIDER_FORMS.sms.reportsAccount(data.sms) && <SmsAccount sms={data.sms} isAdmin={isAdmin} />}
        </Stack>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}
