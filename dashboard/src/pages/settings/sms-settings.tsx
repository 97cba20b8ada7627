import { Autocomplete, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { DangerButton } from '../../components/danger-button';
import { NUMBER_SEPARATORS } from '../../texts/number-separators';
import { t } from '../../texts/text';
import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const DEFAULT_RATE = 20;

const EXAMPLE = {
  region: 'us-east-1',
  number: '+12065550100',
  topicArn: 'arn:aws:sns:us-east-1:123456789012:sms-replies',
};

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
      title={t('common.channel.sms')}
      description={t('settings.sms.description')}
      actions={
        isAdmin &&
        sms !== null && (
          <DangerButton
            isSmall
            label={t('common.action.remove')}
            of={t('common.channel.sms')}
            title={t('settings.sms.remove.title')}
            confirm={t('settings.sms.remove.confirm')}
            onConfirm={() => change({ sms: null })}
          >
            {t('settings.sms.remove.text')}
          </DangerButton>
        )
      }
      isAdmin={isAdmin}
      {...saving}
    >
      <Switch label={t('settings.sms.enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('settings.sms.region')}
          placeholder={EXAMPLE.region}
          required
          withAsterisk={false}
          {...form.getInputProps('region')}
        />
        <Autocomplete
          label={t('settings.sms.originationNumber')}
          placeholder={EXAMPLE.number}
          data={sms?.originationNumbers ?? []}
          maxLength={30}
          {...form.getInputProps('originationNumber')}
        />
        <TextInput
          label={t('settings.sms.senderId')}
          placeholder={t('settings.sms.senderId.placeholder')}
          description={t('settings.sms.senderId.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={11}
          {...form.getInputProps('senderId')}
        />
        <NumberInput
          label={t('settings.sms.maxSendRate')}
          description={t('settings.sms.maxSendRate.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          decimalSeparator={NUMBER_SEPARATORS.decimalSeparator}
          min={0.1}
          max={1_000}
          {...form.getInputProps('maxSendRate')}
        />
      </SimpleGrid>
      <Switch label={t('settings.sms.twoWay')} {...form.getInputProps('twoWay', { type: 'checkbox' })} />
      <TextInput
        label={t('settings.sms.topicArn')}
        placeholder={EXAMPLE.topicArn}
        {...form.getInputProps('topicArn')}
      />
      <SecretField
        label={t('settings.sms.eventSigningKey')}
        isSet={sms?.eventSigningKeySet ?? false}
        {...form.getInputProps('eventSigningKey')}
      />
    </SettingsForm>
  );
}

/** Omits an empty secret, so that the stored one is kept. */
const toSms = ({ enabled, region, twoWay, eventSigningKey, ...rest }: Values) => ({
  enabled,
  region: region.trim(),
  twoWay,
  originationNumber: rest.originationNumber.trim() || null,
  senderId: rest.senderId.trim() || null,
  topicArn: rest.topicArn.trim() || null,
  ...(rest.maxSendRate === '' ? {} : { maxSendRate: Number(rest.maxSendRate) }),
  ...(eventSigningKey === '' ? {} : { eventSigningKey }),
});

/** All fields of new settings. */
const toChange = (values: Values, initial: Values): SettingsChange => ({
  sms: changedFields(initial.region === '' ? {} : toSms(initial), toSms(values)),
});
