import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client';
import { t } from '../../texts/text';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, useSettingsForm } from './use-settings-form';

type Values = Settings['consent'];

const valuesOf = ({ consent: { requiredFor } }: Settings): Values => ({ requiredFor });

/** Shows, before consent is required, how many contacts campaigns would leave out. */
export default function ConsentSettings({ settings, isAdmin }: SettingsProps) {
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, (consent) => ({ consent }));
  const { data } = useQuery({
    queryKey: ['consent-coverage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/contacts/consent-coverage', { signal })),
  });
  return (
    <SettingsForm
      title={t('settings.consent')}
      description={t('settings.consent.description')}
      isAdmin={isAdmin}
      {...saving}
    >
      <Select
        label={t('settings.consent.requiredFor')}
        allowDeselect={false}
        data={[
          { value: 'none', label: t('settings.consent.requiredFor.none') },
          { value: 'campaigns', label: t('settings.consent.requiredFor.campaigns') },
        ]}
        {...form.getInputProps('requiredFor')}
      />
      <Text size="sm" role="status">
        {data && t('settings.consent.coverage', { ...data })}
      </Text>
    </SettingsForm>
  );
}
