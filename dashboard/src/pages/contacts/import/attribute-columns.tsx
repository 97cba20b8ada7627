import { MultiSelect } from '@mantine/core';

import { t } from '../../../texts/text';
import { MAX_ATTRIBUTES } from '../attributes';
import type { Mapping } from './mapping';

interface Props {
  header: readonly string[];
  mapping: Mapping;
  value: string[];
  /** The attributes that the columns of `value` become. */
  attributes: ReadonlyMap<string, string>;
  onChange: (columns: string[]) => void;
}

/** Chooses the columns that become attributes, and says how to name them in an email. */
export function AttributeColumns({ header, mapping, value, attributes, onChange }: Props) {
  const taken = new Set(Object.values(mapping));
  const columns = [...new Set(header)].filter((name) => name !== '' && (!taken.has(name) || value.includes(name)));
  const placeholders = [...attributes].map(([name, column]) => `${column} → {{${name}}}`);
  return (
    <MultiSelect
      label={t('contacts.import.attributes')}
      description={placeholders.length > 0 && t('contacts.import.placeholders', { names: placeholders.join(', ') })}
      placeholder={value.length === 0 ? t('common.none') : undefined}
      data={columns}
      value={value}
      onChange={onChange}
      maxValues={MAX_ATTRIBUTES}
      searchable
    />
  );
}
