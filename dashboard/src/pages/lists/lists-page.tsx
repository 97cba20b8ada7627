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
import { ListDialog } from './list-dialog';
import type { ContactList } from './use-lists';

export default function ListsPage() {
  const isAdmin = useIsAdmin();
  /** The list being renamed, null for a new one, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<ContactList | null>();
  return (
    <>
      <PageHeader title="Lists" description="Groups of contacts. A contact can be on any number of lists.">
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
            New list
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption="Lists"
          queryKey={['lists']}
          load={(page, signal) => unwrap(api.GET('/api/lists', { params: { query: { page } }, signal }))}
          columns={isAdmin ? [...COLUMNS, actionsColumn(setEdited)] : COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/contacts?listId=${id}`}
          empty={
            <Empty icon={ListChecks} title="No lists yet">
              Create a list to group contacts.
            </Empty>
          }
        />
      </Panel>
      {edited !== undefined && <ListDialog list={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<ContactList>[] = [
  { header: 'Name', cell: ({ name }) => name },
  {
    header: 'Created',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
  { header: 'Updated', cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />, align: 'right', width: '7.5rem' },
];

const actionsColumn = (onRename: (list: ContactList) => void): Column<ContactList> => ({
  header: 'Actions',
  isHeaderHidden: true,
  align: 'right',
  width: '10rem',
  cell: (list) => (
    <RowActions>
      <Button variant="subtle" size="compact-xs" aria-label={`Rename ${list.name}`} onClick={() => onRename(list)}>
        Rename
      </Button>
      <Delete list={list} />
    </RowActions>
  ),
});

function Delete({ list: { id, name } }: { list: ContactList }) {
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/lists/{id}', { params: { path: { id } } })),
    successMessage: `“${name}” has been deleted.`,
    invalidates: [['lists'], ['contacts']],
  });
  return (
    <DangerButton
      isSmall
      label="Delete"
      of={name}
      title={`Delete “${name}”?`}
      confirm="Delete list"
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      The contacts on it are not deleted.
    </DangerButton>
  );
}
