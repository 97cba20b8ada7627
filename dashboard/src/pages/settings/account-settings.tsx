import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';

import { TestProvider } from '../../components/test-provider';
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
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, (values) => values);
  return (
    <SettingsForm
      title="Account"
      actions={isAdmin && settings.canSend.email && <TestProvider size="xs" />}
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required withAsterisk={false} {...form.getInputProps('accountName')} />
        <NumberInput
          label="Daily limit"
          description="Maximum messages per UTC day, across all API keys."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('dailySendCap')}
        />
        <NumberInput
          label="Share for campaigns"
          description="Campaigns wait for the next UTC day once this much of the daily limit is used. The rest is left for other messages."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={100}
          allowDecimal={false}
          suffix=" %"
          {...form.getInputProps('campaignCapShare')}
        />
        <Select
          label="Email provider"
          description="Delivers your email."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'smtp', label: 'SMTP relay' },
            { value: 'ses', label: 'Amazon SES', disabled: settings.ses === null },
          ]}
          {...form.getInputProps('emailProvider')}
        />
        <Select
          label="Open and click tracking"
          description="Who counts opens and clicks."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'native', label: 'This service' },
            { value: 'provider', label: 'The provider' },
            { value: 'off', label: 'Off' },
          ]}
          {...form.getInputProps('tracking')}
        />
      </SimpleGrid>
    </SettingsForm>
  );
}
