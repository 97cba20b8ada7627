import { MultiSelect, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import type { Campaign } from './campaign-status';
import type { CampaignForm } from './campaign-values';

const MAX_EACH = 20;

interface Props {
  form: CampaignForm;
  isSavedAtOnce: boolean;
  /** The number of recipients. */
  count: ReactNode;
}

export const AudienceFields = ({ form, isSavedAtOnce, count }: Props) => (
  <Panel
    title={t('campaigns.audience.title')}
    description={t(isSavedAtOnce ? 'campaigns.audience.descriptionSavedAtOnce' : 'campaigns.audience.description')}
  >
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 1, xl: 2 }}>
        <ListsField form={form} field="listIds" label={t('common.section.lists')} />
        <TagsField form={form} field="tags" label={t('common.column.tags')} />
        <ListsField form={form} field="excludeListIds" label={t('campaigns.audience.exceptLists')} />
        <TagsField form={form} field="excludeTags" label={t('campaigns.audience.exceptTags')} />
      </SimpleGrid>
      <Text size="sm" role="status" component="div">
        {count}
      </Text>
    </Stack>
  </Panel>
);

interface FieldProps {
  form: CampaignForm;
  field: keyof Campaign['audience'];
  label: string;
}

function ListsField({ form, field, label }: FieldProps) {
  const { optionsWith } = useLists();
  const input = form.getInputProps(`audience.${field}`) as { value: string[] };
  return (
    <MultiSelect
      label={label}
      data={optionsWith(input.value, t('common.deletedList'))}
      placeholder={input.value.length === 0 ? t('common.none') : undefined}
      maxValues={MAX_EACH}
      searchable
      nothingFoundMessage={t('campaigns.audience.noMatchingLists')}
      {...input}
    />
  );
}

function TagsField({ form, field, label }: FieldProps) {
  const input = form.getInputProps(`audience.${field}`) as { value: string[] };
  return (
    <TagsInput
      label={label}
      placeholder={input.value.length === 0 ? t('campaigns.audience.tagsPlaceholder') : undefined}
      maxTags={MAX_EACH}
      acceptValueOnBlur
      {...input}
    />
  );
}
