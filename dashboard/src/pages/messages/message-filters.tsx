import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

import { DateRangeFilter } from '../../components/date-range-filter';
import { FilterBar } from '../../components/filter-bar';
import { MultiSelectFilter } from '../../components/multi-select-filter';
import { SearchField } from '../../components/search-field';
import { ChannelFilter } from '../../components/select-filter';
import { TagFilter } from '../../components/tag-filter';
import type { Filters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { TopicFilter } from '../topics/topic-filter';
import { MESSAGE_STATUSES } from './message-status';

/** `columns` is the button for the choice of columns. */
export const MessageFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar
    filters={filters}
    search={<SearchField filters={filters} label={t('messages.filter.search')} />}
    end={columns}
  >
    <MultiSelectFilter
      filters={filters}
      name="status"
      label={t('common.column.status')}
      data={MESSAGE_STATUSES.map((value) => ({ value, label: t(`common.messageStatus.${value}`) }))}
      className="status-filter"
    />
    <ChannelFilter filters={filters} className="channel-filter" />
    <TagFilter filters={filters} maxLength={50} className="tag-filter" />
    <TopicFilter filters={filters} />
    <DateRangeFilter filters={filters} label={t('messages.column.accepted')} />
    <Stack className="check-filters">
      <Checkbox
        size="xs"
        label={t('messages.filter.scheduled')}
        checked={filters.get('scheduled') === 'true'}
        onChange={({ currentTarget: { checked } }) => filters.change({ scheduled: checked ? 'true' : null })}
      />
      <Checkbox
        size="xs"
        label={t('messages.filter.test')}
        checked={filters.get('test') === 'true'}
        onChange={({ currentTarget: { checked } }) => filters.change({ test: checked ? 'true' : null })}
      />
    </Stack>
  </FilterBar>
);
