import { Box, SimpleGrid, TextInput } from '@mantine/core';

import { changedFields } from '../../components/changed-fields';
import { t } from '../../texts/text';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type Settings, useSettingsForm } from './use-settings-form';

interface Values {
  logoUrl: string;
  color: string;
}

/** Empty fields stand for null. */
const valuesOf = ({ branding: { logoUrl, color } }: Settings): Values => ({
  logoUrl: logoUrl ?? '',
  color: color ?? '',
});

const COLOR = /^#[0-9a-f]{6}$/i;

/** The branding of the pages for recipients and for owners of sender addresses. */
export function BrandingSettings({ settings, isAdmin }: SettingsProps) {
  const { form, saving } = useSettingsForm<Values>(settings, valuesOf, (values, initial) => {
    const changes = Object.entries(changedFields(initial, values));
    return { branding: Object.fromEntries(changes.map(([name, value]) => [name, value.trim() || null])) };
  });
  const { color } = form.getValues();
  return (
    <SettingsForm
      title={t('settings.branding')}
      description={t('settings.branding.description')}
      isAdmin={isAdmin}
      {...saving}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          type="url"
          label={t('settings.branding.logoUrl')}
          description={t('settings.branding.logoUrl.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={t('settings.branding.logoUrl.placeholder')}
          maxLength={2_000}
          {...form.getInputProps('logoUrl')}
        />
        <TextInput
          label={t('settings.branding.color')}
          description={t('settings.branding.color.description')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={t('settings.branding.color.placeholder')}
          maxLength={7}
          rightSection={COLOR.test(color) && <Box w={18} h={18} bdrs="sm" bd="1px solid var(--line)" bg={color} />}
          {...form.getInputProps('color')}
        />
      </SimpleGrid>
    </SettingsForm>
  );
}
