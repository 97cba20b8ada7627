import { MultiSelect, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Panel } from '../../components/panel';
import { useLists } from '../lists/use-lists';
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
    title="Audience"
    description={`Contacts on any of the lists or with any of the tags, without the excluded ones.${isSavedAtOnce ? ' Changes are saved at once.' : ''}`}
  >
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 1, xl: 2 }}>
        <ListsField form={form} name="audience.listIds" label="Lists" />
        <TagsField form={form} name="audience.tags" label="Tags" />
        <ListsField form={form} name="audience.excludeListIds" label="Except lists" />
        <TagsField form={form} name="audience.excludeTags" label="Except tags" />
      </SimpleGrid>
      <Text size="sm" role="status" component="div">
        {count}
      </Text>
    </Stack>
  </Panel>
);

interface FieldProps {
  form: CampaignForm;
  name: string;
  label: string;
}

function ListsField({ form, name, label }: FieldProps) {
  const { options } = useLists();
  const field = form.getInputProps(name) as { value: string[] };
  return (
    <MultiSelect
      label={label}
      data={options}
      placeholder={field.value.length === 0 ? 'None' : undefined}
      maxValues={MAX_EACH}
      searchable
      nothingFoundMessage="No matching lists"
      {...field}
    />
  );
}

function TagsField({ form, name, label }: FieldProps) {
  const field = form.getInputProps(name) as { value: string[] };
  return (
    <TagsInput
      label={label}
      placeholder={field.value.length === 0 ? 'Press Enter after each tag' : undefined}
      maxTags={MAX_EACH}
      acceptValueOnBlur
      {...field}
    />
  );
}
