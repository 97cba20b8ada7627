import { Button } from '@mantine/core';
import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { RowActions } from '../../components/row-actions';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { ListDialog } from './list-dialog';
import type { ContactList } from './use-lists';

export default function ListsPage() {
  const isAdmin = useIsAdmin();
  /** The list being renamed, null for a new one, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<ContactList | null>();
  return (
    <>
      <PageHeader title={t('common.section.lists')} description={t('lists.description')}>
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
            {t('lists.new')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('common.section.lists')}
          queryKey={['lists']}
          load={(page, signal) => unwrap(api.GET('/api/lists', { params: { query: { page } }, signal }))}
          columns={isAdmin ? [...COLUMNS, actionsColumn(setEdited)] : COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/contacts?listId=${id}`}
          empty={
            <Empty icon={ListChecks} title={t('lists.empty.title')}>
              {t('lists.empty.text')}
            </Empty>
          }
        />
      </Panel>
      {edited !== undefined && <ListDialog list={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<ContactList>[] = [
  { header: 'common.column.name', cell: ({ name }) => name },
  {
    header: 'lists.column.created',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
  {
    header: 'common.column.updated',
    cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
    align: 'right',
    width: '7.5rem',
  },
];

const actionsColumn = (onRename: (list: ContactList) => void): Column<ContactList> => ({
  header: 'common.column.actions',
  isHeaderHidden: true,
  align: 'right',
  width: '10rem',
  cell: (list) => (
    <RowActions>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('lists.rename.label', { name: list.name })}
        onClick={() => onRename(list)}
      >
        {t('lists.rename')}
      </Button>
      <Delete list={list} />
    </RowActions>
  ),
});

function Delete({ list: { id, name } }: { list: ContactList }) {
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/lists/{id}', { params: { path: { id } } })),
    successMessage: t('common.deleted', { name }),
    invalidates: [['lists'], ['contacts']],
  });
  return (
    <DangerButton
      isSmall
      label={t('common.action.delete')}
      of={name}
      title={t('common.delete.title', { name })}
      confirm={t('lists.delete.confirm')}
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      {t('lists.delete.text')}
    </DangerButton>
  );
}
