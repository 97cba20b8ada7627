import { MultiSelect, type MultiSelectProps } from '@mantine/core';

import { t } from '../texts/text';
import { withinSentence } from '../texts/within-sentence';
import type { Filters } from './use-filters';

interface Props extends Pick<MultiSelectProps, 'data' | 'className'> {
  filters: Filters;
  /** The query parameter, which lists the values, separated by commas. */
  name: string;
  label: string;
}

/** Filters by several values of a fixed set. */
export function MultiSelectFilter({ filters, name, label, ...select }: Props) {
  const word = withinSentence(label);
  const chosen = filters.get(name).split(',').filter(Boolean);
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length > 0 ? undefined : t('common.filter.any', { label: word })}
      value={chosen}
      onChange={(values) => filters.change({ [name]: values.join(',') })}
      clearable
      clearButtonProps={{ 'aria-label': t('common.filter.clear', { label: word }) }}
      {...select}
    />
  );
}
