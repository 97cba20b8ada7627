import { Box, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { FIELDS, type FormValues } from './form-values';

/** A preview of the page with the values of the form, saved or not. Its controls cannot be used. */
export function FormPreview({ values }: { values: FormValues }) {
  const labels = [
    t('common.field.emailAddress'),
    ...FIELDS.filter((field) => values.fields.includes(field)).map((field) => t(`forms.field.${field}`)),
  ];
  return (
    <Panel title={t('forms.preview.title')} description={t('forms.preview.description')}>
      <Stack gap="xs" data-testid="form-preview">
        <Text fw={700} size="lg" className="break">
          {values.name}
        </Text>
        {labels.map((label) => (
          <div key={label}>
            <Text size="sm">{label}</Text>
            <Box h={34} bd="1px solid var(--mantine-color-default-border)" bdrs="sm" />
          </div>
        ))}
        <Text size="sm" className="break" style={{ whiteSpace: 'pre-line' }}>
          {values.wording}
        </Text>
        <Text
          size="sm"
          fw={600}
          px="md"
          py={6}
          bd="1px solid var(--mantine-color-default-border)"
          bdrs="sm"
          w="fit-content"
        >
          {t('forms.preview.submit')}
        </Text>
      </Stack>
    </Panel>
  );
}
