import { NumberInput, Select, type SelectProps, SimpleGrid, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { TestProvider } from '../../components/test-provider';
import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { t } from '../../texts/text';
import { PROVIDER_FORMS } from './provider-forms';
import { SettingsForm, type SettingsProps } from './settings-form';
import { EMAIL_PROVIDERS, type Settings, useSettingsForm } from './use-settings-form';

type Values = Pick<
  Settings,
  'accountName' | 'dailySendCap' | 'campaignCapShare' | 'emailProvider' | 'tracking' | 'trackingConsent'
>;

const valuesOf = ({
  accountName,
  dailySendCap,
  campaignCapShare,
  emailProvider,
  tracking,
  trackingConsent,
}: Values): Values => ({
  accountName,
  dailySendCap,
  campaignCapShare,
  emailProvider,
  tracking,
  trackingConsent,
});

export function AccountSettings({ settings, isAdmin }: SettingsProps) {
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, (values, initial) =>
    changedFields(initial, values),
  );
  return (
    <SettingsForm
      title={t('settings.account')}
      actions={isAdmin && settings.canSend.email && <TestProvider size="xs" />}
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('common.field.name')}
          required
          withAsterisk={false}
          {...form.getInputProps('accountName')}
        />
        <NumberInput
          label={t('settings.account.dailySendCap')}
          description={t('settings.account.dailySendCap.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          {...NUMBER_SEPARATORS}
          {...form.getInputProps('dailySendCap')}
        />
        <NumberInput
          label={t('settings.account.campaignCapShare')}
          description={t('settings.account.campaignCapShare.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={100}
          allowDecimal={false}
          suffix=" %"
          {...form.getInputProps('campaignCapShare')}
        />
        <Choice
          label={t('settings.account.emailProvider')}
          description={t('settings.account.emailProvider.description')}
          data={EMAIL_PROVIDERS.map((value) => ({
            value,
            label: t(`settings.${value}`),
            disabled: settings[value] === null && !PROVIDER_FORMS[value].hasDefault,
          }))}
          {...form.getInputProps('emailProvider')}
        />
        <Choice
          label={t('settings.account.tracking')}
          description={t('settings.account.tracking.description')}
          data={[
            { value: 'native', label: t('settings.account.tracking.native') },
            { value: 'provider', label: t('settings.account.tracking.provider') },
            { value: 'off', label: t('settings.account.tracking.off') },
          ]}
          {...form.getInputProps('tracking')}
        />
        <Choice
          label={t('settings.account.trackingConsent')}
          description={t('settings.account.trackingConsent.description')}
          data={[
            { value: 'not_required', label: t('settings.account.trackingConsent.notRequired') },
            { value: 'required', label: t('settings.account.trackingConsent.required') },
          ]}
          {...form.getInputProps('trackingConsent')}
        />
      </SimpleGrid>
    </SettingsForm>
  );
}

const Choice = (props: SelectProps) => (
  <Select inputWrapperOrder={['label', 'input', 'description', 'error']} allowDeselect={false} {...props} />
);
