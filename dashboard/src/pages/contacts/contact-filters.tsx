import type { ReactNode } from 'react';

import { FilterBar } from '../../components/filter-bar';
import { SearchField } from '../../components/search-field';
import { SelectFilter } from '../../components/select-filter';
import { TagFilter } from '../../components/tag-filter';
import type { Filters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import { TopicFilter } from '../topics/topic-filter';
import { CONTACT_STATUSES } from './contact-status';

/** `columns` is the button for the choice of columns. */
export function ContactFilters({ filters, columns }: { filters: Filters; columns?: ReactNode }) {
  const { optionsWith } = useLists();
  const listId = filters.optional('listId');
  const lists = optionsWith(listId === undefined ? [] : [listId], t('common.deletedList'));
  return (
    <FilterBar
      filters={filters}
      search={<SearchField filters={filters} label={t('contacts.filter.search')} />}
      end={columns}
    >
      <SelectFilter
        filters={filters}
        name="status"
        label={t('common.column.status')}
        data={CONTACT_STATUSES.map((value) => ({ value, label: t(`common.contactStatus.${value}`) }))}
      />
      <SelectFilter filters={filters} name="listId" label={t('contacts.filter.list')} data={lists} searchable />
      <TopicFilter filters={filters} />
      <TagFilter filters={filters} maxLength={100} />
    </FilterBar>
  );
}
