import { Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { changedFields } from '../../components/changed-fields';
import { LOCAL_ZONE, timeZones } from '../../components/zoned-time';
import { t } from '../../texts/text';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, useSettingsForm } from './use-settings-form';

type QuietHours = NonNullable<Schemas['SmsSettingsResponse']['quietHours']>;

interface Values extends QuietHours {
  stopWords: string[];
  hasQuietHours: boolean;
}

const MAX_STOP_WORDS = 20;
const USUAL: QuietHours = { from: '21:00', to: '08:00', timeZone: LOCAL_ZONE };

const TIME = { type: 'time', required: true, withAsterisk: false };

const valuesOf = ({ sms }: Settings): Values => ({
  stopWords: sms?.stopWords ?? [],
  hasQuietHours: Boolean(sms?.quietHours),
  ...(sms?.quietHours ?? USUAL),
});

const sentOf = ({ stopWords, hasQuietHours, from, to, timeZone }: Values) => ({
  stopWords,
  quietHours: hasQuietHours ? { from, to, timeZone } : null,
});

/** The settings for SMS that are independent of the provider. */
export default function SmsRules({ settings, isAdmin }: SettingsProps) {
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, (values, initial) => ({
    sms: changedFields(sentOf(initial), sentOf(values)),
  }));
  const { hasQuietHours, timeZone } = form.values;
  return (
    <SettingsForm
      title={t('settings.smsRules')}
      description={t('settings.smsRules.description')}
      isAdmin={isAdmin}
      {...saving}
    >
      <TagsInput
        label={t('settings.smsRules.stopWords')}
        description={t('settings.smsRules.stopWords.description')}
        maxTags={MAX_STOP_WORDS}
        acceptValueOnBlur
        {...form.getInputProps('stopWords')}
      />
      <Switch
        label={t('settings.smsRules.quietHours')}
        description={t('settings.smsRules.quietHours.description')}
        {...form.getInputProps('hasQuietHours', { type: 'checkbox' })}
      />
      {hasQuietHours && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput label={t('settings.smsRules.from')} {...TIME} {...form.getInputProps('from')} />
          <TextInput label={t('settings.smsRules.to')} {...TIME} {...form.getInputProps('to')} />
          <Select
            label={t('settings.smsRules.timeZone')}
            data={optionsWith(timeZone)}
            searchable
            allowDeselect={false}
            {...form.getInputProps('timeZone')}
          />
        </SimpleGrid>
      )}
    </SettingsForm>
  );
}

/** Adds the stored zone if it is missing: the API knows names that the browser may not. */
function optionsWith(zone: string) {
  const known = timeZones();
  return known.some(({ value }) => value === zone) ? known : [{ value: zone, label: zone }, ...known];
}
