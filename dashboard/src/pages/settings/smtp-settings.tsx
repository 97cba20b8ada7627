import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { DangerButton } from '../../components/danger-button';
import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { t } from '../../texts/text';
import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const EXAMPLE_HOST = 'smtp.example.com';
const VENDORS = { sendgrid: 'SendGrid', mailgun: 'Mailgun', postmark: 'Postmark', resend: 'Resend' };

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
  const isOtherHost = form.values.host.trim().toLowerCase() !== smtp?.host;
  return (
    <SettingsForm
      title={t('settings.smtp')}
      description={smtp === null ? t('settings.smtp.notConfigured') : undefined}
      actions={isAdmin && smtp !== null && <RemoveRelay onConfirm={() => change({ smtp: null })} />}
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('settings.smtp.host')}
          placeholder={EXAMPLE_HOST}
          required
          withAsterisk={false}
          {...form.getInputProps('host')}
        />
        <NumberInput
          label={t('settings.smtp.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          {...form.getInputProps('port')}
        />
        <TextInput
          label={t('settings.smtp.username')}
          placeholder={t('settings.smtp.username.placeholder')}
          autoComplete="off"
          {...form.getInputProps('username')}
        />
        <SecretField
          label={t('common.field.password')}
          isSet={smtp?.passwordSet ?? false}
          discarded={isOtherHost && t('settings.smtp.password.otherHost')}
          required={isOtherHost && smtp?.passwordSet && form.values.username.trim() !== ''}
          {...form.getInputProps('password')}
        />
        <Select
          label={t('settings.smtp.vendor')}
          data={vendors()}
          allowDeselect={false}
          {...form.getInputProps('vendor')}
        />
        <SecretField
          label={t('settings.smtp.eventSigningKey')}
          isSet={smtp?.eventSigningKeySet ?? false}
          discarded={smtp?.vendor !== form.values.vendor && t('settings.smtp.eventSigningKey.otherVendor')}
          {...form.getInputProps('eventSigningKey')}
        />
        <NumberInput
          label={t('settings.smtp.maxSendRate')}
          placeholder={t('settings.smtp.maxSendRate.placeholder')}
          decimalSeparator={NUMBER_SEPARATORS.decimalSeparator}
          min={0.1}
          max={10_000}
          {...form.getInputProps('maxSendRate')}
        />
      </SimpleGrid>
      <Switch label={t('settings.smtp.secure')} {...form.getInputProps('secure', { type: 'checkbox' })} />
      <Switch
        label={t('settings.smtp.allowPlaintext')}
        {...form.getInputProps('allowPlaintext', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

const RemoveRelay = ({ onConfirm }: { onConfirm: () => void }) => (
  <DangerButton
    isSmall
    label={t('common.action.remove')}
    title={t('settings.smtp.remove.title')}
    confirm={t('settings.smtp.remove.confirm')}
    onConfirm={onConfirm}
  >
    {t('settings.smtp.remove.text')}
  </DangerButton>
);

const vendors = () => [
  { value: 'generic', label: t('settings.smtp.vendor.other') },
  ...Object.entries(VENDORS).map(([value, label]) => ({ value, label })),
];

/** Omits empty secrets, so that the stored ones are kept. */
const toSmtp = ({ host, username, password, eventSigningKey, maxSendRate, ...rest }: Values) => ({
  ...rest,
  host: host.trim(),
  username: username.trim() || null,
  maxSendRate: maxSendRate === '' ? null : Number(maxSendRate),
  ...(password === '' ? {} : { password }),
  ...(eventSigningKey === '' ? {} : { eventSigningKey }),
});

/** All fields of a new relay. Secrets are sent with what they have been typed for, whatever is stored by then. */
function toChange(values: Values, initial: Values): SettingsChange {
  const smtp = toSmtp(values);
  const { host, username, allowPlaintext, vendor } = smtp;
  const changed = changedFields(initial.host === '' ? {} : toSmtp(initial), smtp);
  return {
    smtp: {
      ...changed,
      ...((changed.host ?? changed.password) !== undefined && { host, username, allowPlaintext }),
      ...(changed.eventSigningKey !== undefined && { vendor }),
    },
  };
}
