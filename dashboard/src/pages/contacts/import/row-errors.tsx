import { type Column, DataTable } from '../../../components/data-table';
import { Panel } from '../../../components/panel';
import type { ContactImport } from './use-start-import';

type RowError = ContactImport['errors'][number];

export const RowErrors = ({ errors }: { errors: RowError[] }) => (
  <Panel isFlush title="Invalid rows" description="At most the first 100 are listed.">
    <DataTable
      caption="Invalid rows"
      columns={COLUMNS}
      rows={errors}
      keyOf={({ line, message }) => `${line} ${message}`}
    />
  </Panel>
);

const COLUMNS: readonly Column<RowError>[] = [
  { header: 'Line', cell: ({ line }) => `Line ${line.toLocaleString()}`, width: '8rem' },
  { header: 'Address', cell: ({ email }) => email },
  { header: 'Reason', cell: ({ message }) => message },
];
