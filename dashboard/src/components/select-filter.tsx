import { Select, type SelectProps } from '@mantine/core';

import type { Filters } from './use-filters';

interface Props extends Pick<SelectProps, 'data' | 'searchable' | 'className'> {
  filters: Filters;
  /** The query parameter. */
  name: string;
  label: string;
}

/** Filters by one value of a fixed set. */
export function SelectFilter({ filters, name, label, ...select }: Props) {
  const any = `Any ${label.toLowerCase()}`;
  return (
    <Select
      aria-label={label}
      placeholder={any}
      value={filters.optional(name) ?? null}
      onChange={(value) => filters.change({ [name]: value })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      {...select}
    />
  );
}

const CHANNELS = [
  { value: 'email', label: 'Email' },
  { value: 'sms', label: 'SMS' },
];

export const ChannelFilter = ({ filters, className }: Pick<Props, 'filters' | 'className'>) => (
  <SelectFilter filters={filters} name="channel" label="Channel" data={CHANNELS} className={className} />
);
