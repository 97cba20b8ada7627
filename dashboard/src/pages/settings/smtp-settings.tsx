import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';

import { DangerButton } from '../../components/danger-button';
import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const VENDORS = [
  { value: 'generic', label: 'Other' },
  { value: 'sendgrid', label: 'SendGrid' },
  { value: 'mailgun', label: 'Mailgun' },
  { value: 'postmark', label: 'Postmark' },
  { value: 'resend', label: 'Resend' },
];

const valuesOf = ({ smtp }: Settings) => ({
  vendor: smtp?.vendor ?? 'generic',
  host: smtp?.host ?? '',
  port: smtp?.port ?? 587,
  secure: smtp?.secure ?? false,
  username: smtp?.username ?? '',
  password: '',
  allowPlaintext: smtp?.allowPlaintext ?? false,
  eventSigningKey: '',
  maxSendRate: smtp?.maxSendRate ?? ('' as number | string),
});

type Values = ReturnType<typeof valuesOf>;

export function SmtpSettings({ settings, isAdmin }: SettingsProps) {
  const { smtp } = settings;
  const { form, change, saving } = useSettingsForm<Values>(settings, valuesOf, toChange);
  return (
    <SettingsForm
      title="SMTP relay"
      description={
        smtp === null
          ? 'Not configured. Email goes through the installation’s default relay, if it has one.'
          : undefined
      }
      actions={
        isAdmin &&
        smtp !== null && (
          <DangerButton
            isSmall
            label="Remove"
            title="Remove this relay?"
            confirm="Remove relay"
            onConfirm={() => change({ smtp: null })}
          >
            Its password is deleted as well. Email then goes through the installation’s default relay, if it has one.
          </DangerButton>
        )
      }
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Host"
          placeholder="smtp.example.com"
          required
          withAsterisk={false}
          {...form.getInputProps('host')}
        />
        <NumberInput label="Port" min={1} max={65_535} allowDecimal={false} {...form.getInputProps('port')} />
        <TextInput label="Username" placeholder="None" autoComplete="off" {...form.getInputProps('username')} />
        <SecretField label="Password" isSet={smtp?.passwordSet ?? false} {...form.getInputProps('password')} />
        <Select label="Vendor" data={VENDORS} allowDeselect={false} {...form.getInputProps('vendor')} />
        <SecretField
          label="Event signing key"
          isSet={smtp?.eventSigningKeySet ?? false}
          {...form.getInputProps('eventSigningKey')}
        />
        <NumberInput
          label="Messages per second"
          placeholder="No limit"
          min={0.1}
          max={10_000}
          {...form.getInputProps('maxSendRate')}
        />
      </SimpleGrid>
      <Switch
        label="Use TLS from the start of the connection (usually port 465)"
        {...form.getInputProps('secure', { type: 'checkbox' })}
      />
      <Switch
        label="Send the password unencrypted if the relay does not offer TLS"
        {...form.getInputProps('allowPlaintext', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

/** Omits empty secrets, so that the stored ones are kept. */
const toChange = ({ username, password, eventSigningKey, maxSendRate, ...rest }: Values): SettingsChange => ({
  smtp: {
    ...rest,
    username: username || null,
    maxSendRate: maxSendRate === '' ? null : Number(maxSendRate),
    ...(password === '' ? {} : { password }),
    ...(eventSigningKey === '' ? {} : { eventSigningKey }),
  },
});
