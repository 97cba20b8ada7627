import { Autocomplete, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';

import { DangerButton } from '../../components/danger-button';
import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const DEFAULT_RATE = 20;

const valuesOf = ({ sms }: Settings) => ({
  enabled: sms?.enabled ?? true,
  region: sms?.region ?? '',
  originationNumber: sms?.originationNumber ?? '',
  senderId: sms?.senderId ?? '',
  twoWay: sms?.twoWay ?? false,
  topicArn: sms?.topicArn ?? '',
  maxSendRate: sms?.maxSendRate ?? DEFAULT_RATE,
  eventSigningKey: '',
});

/** An empty number field holds a string. */
type Values = Omit<ReturnType<typeof valuesOf>, 'maxSendRate'> & { maxSendRate: number | string };

export function SmsSettings({ settings, isAdmin }: SettingsProps) {
  const { sms } = settings;
  const { form, change, saving } = useSettingsForm<Values>(settings, valuesOf, toChange);
  return (
    <SettingsForm
      title="SMS"
      description="Sent through Amazon SNS, using the Amazon SES credentials above or the server’s own."
      actions={
        isAdmin &&
        sms !== null && (
          <DangerButton
            isSmall
            label="Remove"
            of="SMS"
            title="Remove SMS?"
            confirm="Remove SMS"
            onConfirm={() => change({ sms: null })}
          >
            The settings are deleted and SMS requests are rejected. Numbers that opted out stay suppressed.
          </DangerButton>
        )
      }
      isAdmin={isAdmin}
      {...saving}
    >
      <Switch label="Allow this account to send SMS" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="SMS region"
          placeholder="us-east-1"
          required
          withAsterisk={false}
          {...form.getInputProps('region')}
        />
        <Autocomplete
          label="Origination number"
          placeholder="+12065550100"
          data={sms?.originationNumbers ?? []}
          maxLength={30}
          {...form.getInputProps('originationNumber')}
        />
        <TextInput
          label="Sender ID"
          placeholder="None"
          description="Shown instead of the number in countries that support it."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={11}
          {...form.getInputProps('senderId')}
        />
        <NumberInput
          label="SMS per second"
          description="The limit of your number: 1 for a US long code, 3 for a toll-free number."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0.1}
          max={1_000}
          {...form.getInputProps('maxSendRate')}
        />
      </SimpleGrid>
      <Switch label="The number receives replies" {...form.getInputProps('twoWay', { type: 'checkbox' })} />
      <TextInput
        label="SNS topic for replies (ARN)"
        placeholder="arn:aws:sns:us-east-1:123456789012:sms-replies"
        {...form.getInputProps('topicArn')}
      />
      <SecretField
        label="Signing key for delivery receipts"
        isSet={sms?.eventSigningKeySet ?? false}
        {...form.getInputProps('eventSigningKey')}
      />
    </SettingsForm>
  );
}

/** Omits an empty secret, so that the stored one is kept. */
const toChange = ({ enabled, region, twoWay, eventSigningKey, ...rest }: Values): SettingsChange => ({
  sms: {
    enabled,
    region: region.trim(),
    twoWay,
    originationNumber: rest.originationNumber.trim() || null,
    senderId: rest.senderId.trim() || null,
    topicArn: rest.topicArn.trim() || null,
    ...(rest.maxSendRate === '' ? {} : { maxSendRate: Number(rest.maxSendRate) }),
    ...(eventSigningKey === '' ? {} : { eventSigningKey }),
  },
});
