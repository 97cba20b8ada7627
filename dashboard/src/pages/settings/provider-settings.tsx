import { SimpleGrid } from '@mantine/core';

import { DangerButton } from '../../components/danger-button';
import { t } from '../../texts/text';
import { inLanguage, PROVIDER_FORMS } from './provider-forms';
import { ProviderField } from './provider-field';
import type { Field } from './settings-fields';
import { SettingsForm, type SettingsProps } from './settings-form';
import { type ProviderSection, type Settings, useSettingsForm } from './use-settings-form';

interface Props extends SettingsProps {
  section: ProviderSection;
  title: string;
  /** Replaces the description that the provider gives. */
  description?: string | undefined;
  isRemovable?: boolean;
}

/** The section of the settings that configures a provider, with the fields that the provider describes. */
export function ProviderSettings({ section, title, isRemovable = true, settings, isAdmin, ...props }: Props) {
  const description = PROVIDER_FORMS[section];
  const shown = settings[section];
  const { form, change, saving } = useSettingsForm(
    settings,
    (stored: Settings) => description.valuesOf(stored[section]),
    (values, initial) => ({ [section]: description.changeOf(values, initial) }),
  );
  const own = description.descriptionFor(form.values);
  return (
    <SettingsForm
      title={title}
      description={props.description ?? (own && inLanguage(own))}
      actions={
        isAdmin &&
        shown !== null &&
        isRemovable && (
          <DangerButton
            isSmall
            label={t('common.action.remove')}
            of={title}
            title={t(`settings.${section}.remove.title`)}
            confirm={t(`settings.${section}.remove.confirm`)}
            onConfirm={() => change({ [section]: null })}
          >
            {t(`settings.${section}.remove.text`)}
          </DangerButton>
        )
      }
      isAdmin={isAdmin}
      {...saving}
    >
      {rowsOf(description.fieldsFor(form.values)).map((row) => {
        const fields = row.map((field) => <ProviderField key={field.name} field={field} form={form} shown={shown} />);
        return isWide(row[0]) ? (
          fields
        ) : (
          <SimpleGrid key={row[0]?.name} cols={{ base: 1, sm: 2 }}>
            {fields}
          </SimpleGrid>
        );
      })}
    </SettingsForm>
  );
}

const isWide = (field: Field | undefined): boolean => field?.kind === 'switch' || field?.isWide === true;

/** Narrow fields that follow each other share a grid; a wide one is a row of its own. */
function rowsOf(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last && !isWide(field) && !isWide(last[0])) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
