import { Group } from '@mantine/core';

import { ClearFilters } from '../../components/clear-filters';
import { SearchField } from '../../components/search-field';
import { SelectFilter } from '../../components/select-filter';
import { toLabel } from '../../components/status';
import { TagFilter } from '../../components/tag-filter';
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
      <TagFilter filters={filters} maxLength={100} />
      <ClearFilters filters={filters} />
    </Group>
  );
}
