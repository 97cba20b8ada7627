import { SimpleGrid, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { DangerButton } from '../../components/danger-button';
import { t } from '../../texts/text';
import { SecretField } from './secret-field';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, type SettingsChange, useSettingsForm } from './use-settings-form';

const EXAMPLE = { region: 'eu-central-1', topicArn: 'arn:aws:sns:eu-central-1:123456789012:mail-events' };

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
  const { form, change, saving } = useSettingsForm<Values>(settings, valuesOf, toChange);
  return (
    <SettingsForm
      title={t('settings.ses')}
      description={ses === null ? t('settings.ses.notConfigured') : undefined}
      actions={
        isAdmin &&
        ses !== null &&
        settings.emailProvider !== 'ses' && (
          <DangerButton
            isSmall
            label={t('common.action.remove')}
            of={t('settings.ses')}
            title={t('settings.ses.remove.title')}
            confirm={t('settings.ses.remove.confirm')}
            onConfirm={() => change({ ses: null })}
          >
            {t('settings.ses.remove.text')}
          </DangerButton>
        )
      }
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('settings.ses.region')}
          placeholder={EXAMPLE.region}
          required
          withAsterisk={false}
          {...form.getInputProps('region')}
        />
        <TextInput
          label={t('settings.ses.configurationSet')}
          placeholder={t('settings.ses.configurationSet.placeholder')}
          {...form.getInputProps('configurationSet')}
        />
        <TextInput
          label={t('settings.ses.accessKeyId')}
          placeholder={t('settings.ses.accessKeyId.placeholder')}
          autoComplete="off"
          {...form.getInputProps('accessKeyId')}
        />
        <SecretField
          label={t('settings.ses.secretAccessKey')}
          isSet={ses?.secretAccessKeySet ?? false}
          {...form.getInputProps('secretAccessKey')}
        />
      </SimpleGrid>
      <TextInput
        label={t('settings.ses.topicArn')}
        placeholder={EXAMPLE.topicArn}
        {...form.getInputProps('topicArn')}
      />
    </SettingsForm>
  );
}

/** Omits an empty secret, so that the stored one is kept. */
const toSes = ({ region, secretAccessKey, ...rest }: Values) => ({
  region: region.trim(),
  configurationSet: rest.configurationSet.trim() || null,
  topicArn: rest.topicArn.trim() || null,
  accessKeyId: rest.accessKeyId.trim() || null,
  ...(secretAccessKey === '' ? {} : { secretAccessKey }),
});

/** All fields of new settings. A secret is sent with the key that it has been typed for, whatever is stored by then. */
function toChange(values: Values, initial: Values): SettingsChange {
  const ses = toSes(values);
  const { accessKeyId } = ses;
  const changed = changedFields(initial.region === '' ? {} : toSes(initial), ses);
  return { ses: { ...changed, ...(changed.secretAccessKey !== undefined && { accessKeyId }) } };
}
