import { Checkbox, Group, MultiSelect, Text, TextInput } from '@mantine/core';

import { ClearFilters } from '../../components/clear-filters';
import { SearchField } from '../../components/search-field';
import { ChannelFilter } from '../../components/select-filter';
import { toLabel } from '../../components/status';
import { TagFilter } from '../../components/tag-filter';
import type { Filters } from '../../components/use-filters';
import { MESSAGE_STATUSES } from './message-status';

export function MessageFilters({ filters }: { filters: Filters }) {
  return (
    <Group className="filters" gap="xs">
      <SearchField filters={filters} label="Recipient, sender or subject" />
      <MultiSelect
        aria-label="Status"
        placeholder={filters.get('status') ? undefined : 'Any status'}
        data={MESSAGE_STATUSES.map((value) => ({ value, label: toLabel(value) }))}
        value={filters.get('status').split(',').filter(Boolean)}
        onChange={(statuses) => {
          filters.change({ status: statuses.join(',') });
        }}
        clearable
        className="status-filter"
        clearButtonProps={{ 'aria-label': 'Clear status' }}
      />
      <ChannelFilter filters={filters} className="channel-filter" />
      <TagFilter filters={filters} maxLength={50} className="tag-filter" />
      <Checkbox
        label="Scheduled only"
        checked={filters.get('scheduled') === 'true'}
        onChange={({ currentTarget: { checked } }) => filters.change({ scheduled: checked ? 'true' : null })}
      />
      <Checkbox
        label="Test messages"
        checked={filters.get('test') === 'true'}
        onChange={({ currentTarget: { checked } }) => filters.change({ test: checked ? 'true' : null })}
      />
      <Group gap="xs">
        <DayField filters={filters} name="from" label="From" />
        <DayField filters={filters} name="to" label="To" />
        <ClearFilters filters={filters} />
      </Group>
    </Group>
  );
}

const DayField = ({ filters, name, label }: { filters: Filters; name: 'from' | 'to'; label: string }) => (
  <TextInput
    type="date"
    aria-label={`${label} date`}
    title="Date in local time"
    leftSection={
      <Text size="sm" c="dimmed" aria-hidden>
        {label}
      </Text>
    }
    leftSectionWidth={48}
    className="day-filter"
    value={filters.get(name).slice(0, 10)}
    onChange={({ currentTarget: { value } }) => {
      filters.change({ [name]: value }, { replace: true });
    }}
  />
);
