import { Select } from '@mantine/core';

import { type Column, DataTable } from '../../../components/data-table';
import { FIELDS, type Mapping } from './mapping';
import type { Sample } from './read-sample';

const EXAMPLES = 3;

interface Props {
  sample: Sample;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** Maps each contact field to a column and shows example values. */
export function MappingTable({ sample: { header, rows }, mapping, onChange }: Props) {
  const named = [...new Set(header)].filter((title) => title !== '');
  const examplesOf = (title: string | undefined) =>
    rows
      .map((row) => (title === undefined ? '' : row[header.indexOf(title)]))
      .filter(Boolean)
      .slice(0, EXAMPLES)
      .join(', ');
  const columns: Column<(typeof FIELDS)[number]>[] = [
    { header: 'Field', cell: ({ name, label }) => (name === 'email' ? `${label} (required)` : label), width: '14rem' },
    {
      header: 'CSV column',
      cell: ({ name, label }) => (
        <Select
          aria-label={`Column for ${label}`}
          placeholder="None"
          data={named}
          value={mapping[name] ?? null}
          onChange={(title) => onChange({ ...mapping, [name]: title ?? undefined })}
          searchable
          clearable={name !== 'email'}
          clearButtonProps={{ 'aria-label': `Clear column for ${label}` }}
        />
      ),
      width: '18rem',
    },
    { header: 'Examples', cell: ({ name }) => examplesOf(mapping[name]) },
  ];
  return <DataTable caption="Fields and columns" columns={columns} rows={FIELDS} keyOf={({ name }) => name} />;
}
