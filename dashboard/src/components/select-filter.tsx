import { Select, type SelectProps } from '@mantine/core';

import { t } from '../texts/text';
import { withinSentence } from '../texts/within-sentence';
import type { Filters } from './use-filters';

interface Props extends Pick<SelectProps, 'data' | 'searchable' | 'className'> {
  filters: Filters;
  /** The query parameter. */
  name: string;
  label: string;
}

/** Filters by one value of a fixed set. */
export function SelectFilter({ filters, name, label, ...select }: Props) {
  const word = withinSentence(label);
  return (
    <Select
      aria-label={label}
      placeholder={t('common.filter.any', { label: word })}
      value={filters.optional(name) ?? null}
      onChange={(value) => filters.change({ [name]: value })}
      clearable
      clearButtonProps={{ 'aria-label': t('common.filter.clear', { label: word }) }}
      {...select}
    />
  );
}

const CHANNELS = ['email', 'sms'] as const;

export const ChannelFilter = ({ filters, className }: Pick<Props, 'filters' | 'className'>) => (
  <SelectFilter
    filters={filters}
    name="channel"
    label={t('common.field.channel')}
    data={CHANNELS.map((value) => ({ value, label: t(`common.channel.${value}`) }))}
    className={className}
  />
);
