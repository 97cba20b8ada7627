import { Group, Select, TextInput } from '@mantine/core';
import { Tag } from 'lucide-react';

import { ClearFilters } from '../../components/clear-filters';
import { SearchField } from '../../components/search-field';
import { inWords } from '../../components/status';
import type { Filters } from '../../components/use-filters';
import { useLists } from '../lists/use-lists';
import { CONTACT_STATUSES } from './contact-status';

export function ContactFilters({ filters }: { filters: Filters }) {
  const { options } = useLists();
  return (
    <Group className="filters" gap="xs">
      <SearchField filters={filters} label="Address, name or company" />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={CONTACT_STATUSES.map((value) => ({ value, label: inWords(value) }))}
        value={filters.optional('status') ?? null}
        onChange={(status) => filters.change({ status })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
      />
      <Select
        aria-label="List"
        placeholder="Any list"
        data={options}
        value={filters.optional('listId') ?? null}
        onChange={(listId) => filters.change({ listId })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any list' }}
      />
      <TagFilter key={filters.get('tag')} filters={filters} />
      <ClearFilters filters={filters} />
    </Group>
  );
}

/** Only a whole tag finds anything, so it is applied when it is typed to its end. */
function TagFilter({ filters }: { filters: Filters }) {
  const applied = filters.get('tag');
  const apply = (tag: string) => {
    if (tag.trim() !== applied) filters.change({ tag: tag.trim() });
  };
  return (
    <TextInput
      aria-label="Tag"
      placeholder="Any tag"
      leftSection={<Tag size={15} aria-hidden />}
      maxLength={100}
      defaultValue={applied}
      onBlur={({ currentTarget: { value } }) => apply(value)}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key === 'Enter') apply(value);
      }}
    />
  );
}
