import { ActionIcon, Tooltip } from '@mantine/core';
import { FilterX } from 'lucide-react';

import type { Filters } from './use-filters';

const LABEL = 'Clear filters';

/** Rendered only while a filter is set. */
export const ClearFilters = ({ filters }: { filters: Filters }) =>
  filters.isFiltered && (
    <Tooltip label={LABEL}>
      <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={LABEL} onClick={filters.clear}>
        <FilterX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
