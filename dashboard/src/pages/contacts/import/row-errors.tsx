import { type Column, DataTable } from '../../../components/data-table';
import { Panel } from '../../../components/panel';
import { t } from '../../../texts/text';
import type { ContactImport } from './use-start-import';

type RowError = ContactImport['errors'][number];

export const RowErrors = ({ errors }: { errors: RowError[] }) => (
  <Panel isFlush title={t('contacts.import.invalidRows')} description={t('contacts.import.invalidRowsDescription')}>
    <DataTable
      caption={t('contacts.import.invalidRows')}
      columns={COLUMNS}
      rows={errors}
      keyOf={({ line, message }) => `${line} ${message}`}
    />
  </Panel>
);

const COLUMNS: readonly Column<RowError>[] = [
  { header: 'contacts.column.line', cell: ({ line }) => t('contacts.import.line', { line }), width: '8rem' },
  { header: 'common.column.address', cell: ({ email }) => email },
  { header: 'common.column.reason', cell: ({ message }) => message },
];
