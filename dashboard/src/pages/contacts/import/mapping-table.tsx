import { Select } from '@mantine/core';

import { type Column, DataTable } from '../../../components/data-table';
import { t } from '../../../texts/text';
import { FIELDS, type Mapping } from './mapping';
import type { Sample } from './read-sample';

const EXAMPLES = 3;
/** Values have commas, and tags semicolons. */
const SEPARATOR = ' · ';

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
      .join(SEPARATOR);
  const columns: Column<(typeof FIELDS)[number]>[] = [
    {
      header: 'contacts.column.field',
      cell: ({ name, label }) => (name === 'email' ? t('contacts.import.required', { field: t(label) }) : t(label)),
      width: '14rem',
    },
    {
      header: 'contacts.column.csvColumn',
      cell: ({ name, label }) => (
        <Select
          aria-label={t('contacts.import.columnFor', { field: t(label) })}
          placeholder={t('common.none')}
          data={named}
          value={mapping[name] ?? null}
          onChange={(title) => onChange({ ...mapping, [name]: title ?? undefined })}
          searchable
          clearable={name !== 'email'}
          clearButtonProps={{ 'aria-label': t('contacts.import.clearColumnFor', { field: t(label) }) }}
        />
      ),
      width: '18rem',
    },
    { header: 'contacts.column.examples', cell: ({ name }) => examplesOf(mapping[name]) },
  ];
  return (
    <DataTable
      caption={t('contacts.import.fieldsAndColumns')}
      columns={columns}
      rows={FIELDS}
      keyOf={({ name }) => name}
    />
  );
}
