import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';

import type { Schemas } from '../../api/types';
import { SettingsForm, type SettingsProps } from './settings-form';
import { useChangeSettings } from './use-change-settings';

type Values = Pick<Schemas['SettingsResponse'], 'accountName' | 'dailySendCap' | 'emailProvider' | 'tracking'>;

const valuesOf = ({ accountName, dailySendCap, emailProvider, tracking }: Values): Values => ({
  accountName,
  dailySendCap,
  emailProvider,
  tracking,
});

export function AccountSettings({ settings, isAdmin }: SettingsProps) {
  const form = useForm({ initialValues: valuesOf(settings) });
  const change = useChangeSettings((saved) => {
    form.setInitialValues(valuesOf(saved));
    form.reset();
  });
  return (
    <SettingsForm
      title="Account"
      isAdmin={isAdmin}
      isBusy={change.isPending}
      isDirty={form.isDirty()}
      error={change.error}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required withAsterisk={false} {...form.getInputProps('accountName')} />
        <NumberInput
          label="Daily cap"
          description="Messages per UTC day, over all keys."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('dailySendCap')}
        />
        <Select
          label="Provider"
          description="Through what e-mail leaves."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'smtp', label: 'SMTP relay' },
            { value: 'ses', label: 'Amazon SES', disabled: settings.ses === null },
          ]}
          {...form.getInputProps('emailProvider')}
        />
        <Select
          label="Opens and clicks"
          description="Who counts them."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'native', label: 'This service' },
            { value: 'provider', label: 'The provider' },
            { value: 'off', label: 'Nobody' },
          ]}
          {...form.getInputProps('tracking')}
        />
      </SimpleGrid>
    </SettingsForm>
  );
}
