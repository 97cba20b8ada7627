import { Checkbox, MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';

import { DateRangeFilter } from '../../components/date-range-filter';
import { FilterBar } from '../../components/filter-bar';
import { SearchField } from '../../components/search-field';
import { ChannelFilter } from '../../components/select-filter';
import { toLabel } from '../../components/status';
import { TagFilter } from '../../components/tag-filter';
import type { Filters } from '../../components/use-filters';
import { MESSAGE_STATUSES } from './message-status';

/** `columns` is the button for the choice of columns. */
export const MessageFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar
    filters={filters}
    search={<SearchField filters={filters} label="Recipient, sender or subject" />}
    end={columns}
  >
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
    <DateRangeFilter filters={filters} label="Accepted" />
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
  </FilterBar>
);
