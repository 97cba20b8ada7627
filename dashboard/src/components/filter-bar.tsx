import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId } from 'react';

import { t } from '../texts/text';
import { ClearFilters } from './clear-filters';
import type { Filters } from './use-filters';

interface Props {
  filters: Filters;
  /** Always shown. */
  search?: ReactNode;
  /** Shown on the right, for example the choice of columns. */
  end?: ReactNode;
  /** The other filters. On small screens they are behind a button that shows how many of them are set. */
  children: ReactNode;
}

export function FilterBar({ filters, search, end, children }: Props) {
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure();
  const { count } = filters;
  return (
    <Group className="filters" gap="xs">
      {search}
      <Button
        variant="default"
        className="filters-button"
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {t('common.filters', { count })}
      </Button>
      <Group id={id} className="filters-more" gap="xs" data-open={isOpen || undefined}>
        {children}
        <ClearFilters filters={filters} />
      </Group>
      {end && <div className="filters-end">{end}</div>}
    </Group>
  );
}
