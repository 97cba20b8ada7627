import { Group, TextInput } from '@mantine/core';
import { Tag } from 'lucide-react';

import { ClearFilters } from '../../components/clear-filters';
import { SearchField } from '../../components/search-field';
import { SelectFilter } from '../../components/select-filter';
import { toLabel } from '../../components/status';
import type { Filters } from '../../components/use-filters';
import { useLists } from '../lists/use-lists';
import { CONTACT_STATUSES } from './contact-status';

export function ContactFilters({ filters }: { filters: Filters }) {
  const { options } = useLists();
  return (
    <Group className="filters" gap="xs">
      <SearchField filters={filters} label="Address, name or company" />
      <SelectFilter
        filters={filters}
        name="status"
        label="Status"
        data={CONTACT_STATUSES.map((value) => ({ value, label: toLabel(value) }))}
      />
      <SelectFilter filters={filters} name="listId" label="List" data={options} searchable />
      <TagFilter key={filters.get('tag')} filters={filters} />
      <ClearFilters filters={filters} />
    </Group>
  );
}

/** Tags match exactly, so the filter is applied on Enter or blur, not while typing. */
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
