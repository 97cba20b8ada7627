import { SimpleGrid, TextInput } from '@mantine/core';

import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const valuesOf = ({ ses }: Settings) => ({
  region: ses?.region ?? '',
  configurationSet: ses?.configurationSet ?? '',
  topicArn: ses?.topicArn ?? '',
  accessKeyId: ses?.accessKeyId ?? '',
  secretAccessKey: '',
});

type Values = ReturnType<typeof valuesOf>;

export function SesSettings({ settings, isAdmin }: SettingsProps) {
  const { ses } = settings;
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, toChange);
  return (
    <SettingsForm
      title="Amazon SES"
      description={
        ses === null ? 'Not configured. Once configured, it can be selected as the email provider.' : undefined
      }
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Region"
          placeholder="eu-central-1"
          required
          withAsterisk={false}
          {...form.getInputProps('region')}
        />
        <TextInput label="Configuration set" placeholder="None" {...form.getInputProps('configurationSet')} />
        <TextInput
          label="Access key ID"
          placeholder="The server’s own credentials"
          autoComplete="off"
          {...form.getInputProps('accessKeyId')}
        />
        <SecretField
          label="Secret access key"
          isSet={ses?.secretAccessKeySet ?? false}
          {...form.getInputProps('secretAccessKey')}
        />
      </SimpleGrid>
      <TextInput
        label="SNS topic for events (ARN)"
        placeholder="arn:aws:sns:eu-central-1:123456789012:mail-events"
        {...form.getInputProps('topicArn')}
      />
    </SettingsForm>
  );
}

/** Omits an empty secret, so that the stored one is kept. */
const toChange = ({ region, secretAccessKey, ...rest }: Values): SettingsChange => ({
  ses: {
    region,
    configurationSet: rest.configurationSet || null,
    topicArn: rest.topicArn || null,
    accessKeyId: rest.accessKeyId || null,
    ...(secretAccessKey === '' ? {} : { secretAccessKey }),
  },
});
