import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { Link } from 'react-router';

import { type Column, DataTable } from '../../components/data-table';
import { t } from '../../texts/text';
import type { BulkResult } from './bulk-actions';

type Failure = BulkResult['failures'][number];

/** The messages that an action has left unchanged. */
export const BulkFailures = ({ failures }: Pick<BulkResult, 'failures'>) => (
  <Stack>
    <Text size="sm">{t('messages.unchanged')}</Text>
    <div className="bulk-failures">
      <DataTable
        caption={t('messages.unchanged.caption')}
        columns={COLUMNS}
        rows={failures}
        keyOf={({ message: { id } }) => id}
      />
    </div>
    <Group justify="flex-end">
      <Button variant="default" data-autofocus onClick={() => modals.closeAll()}>
        {t('common.action.close')}
      </Button>
    </Group>
  </Stack>
);

const COLUMNS: readonly Column<Failure>[] = [
  {
    header: 'common.column.to',
    cell: ({ message: { id, to } }) => (
      <Link to={`/messages/${id}`} className="plain-link">
        {to}
      </Link>
    ),
  },
  { header: 'common.column.subject', cell: ({ message: { subject } }) => subject ?? '–' },
  { header: 'common.column.reason', cell: ({ reason }) => reason },
];
