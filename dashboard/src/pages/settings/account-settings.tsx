import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { TestProvider } from '../../components/test-provider';
import { t } from '../../texts/text';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, useSettingsForm } from './use-settings-form';

type Values = Pick<Settings, 'accountName' | 'dailySendCap' | 'campaignCapShare' | 'emailProvider' | 'tracking'>;

const valuesOf = ({ accountName, dailySendCap, campaignCapShare, emailProvider, tracking }: Values): Values => ({
  accountName,
  dailySendCap,
  campaignCapShare,
  emailProvider,
  tracking,
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
        <Select
          label={t('settings.account.emailProvider')}
          description={t('settings.account.emailProvider.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'smtp', label: t('settings.smtp') },
            { value: 'ses', label: t('settings.ses'), disabled: settings.ses === null },
          ]}
          {...form.getInputProps('emailProvider')}
        />
        <Select
          label={t('settings.account.tracking')}
          description={t('settings.account.tracking.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'native', label: t('settings.account.tracking.native') },
            { value: 'provider', label: t('settings.account.tracking.provider') },
            { value: 'off', label: t('settings.account.tracking.off') },
          ]}
          {...form.getInputProps('tracking')}
        />
      </SimpleGrid>
    </SettingsForm>
  );
}
