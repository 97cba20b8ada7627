import { ActionIcon, Tooltip } from '@mantine/core';
import { FilterX } from 'lucide-react';

import { t } from '../texts/text';
import type { Filters } from './use-filters';

/** Rendered only while a filter is set. */
export const ClearFilters = ({ filters }: { filters: Filters }) =>
  filters.isFiltered && (
    <Tooltip label={t('common.action.clearFilters')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="input-sm"
        aria-label={t('common.action.clearFilters')}
        onClick={filters.clear}
      >
        <FilterX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
