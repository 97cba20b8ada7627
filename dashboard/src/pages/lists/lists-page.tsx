import { ListChecks } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Column } from '../../components/data-table';
import { ManagedList } from '../../components/managed-list';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
import { ListDialog } from './list-dialog';
import type { ContactList } from './use-lists';

export default function ListsPage() {
  return (
    <ManagedList
      title={t('common.section.lists')}
      description={t('lists.description')}
      icon={ListChecks}
      add={t('lists.new')}
      edit={t('lists.rename')}
      empty={{ title: t('lists.empty.title'), text: t('lists.empty.text') }}
      columns={COLUMNS}
      load={(page, signal) => unwrap(api.GET('/api/lists', { params: { query: { page } }, signal }))}
      linkOf={({ id }) => `/contacts?listId=${id}`}
      dialog={(list, close) => <ListDialog list={list} onClose={close} />}
      remove={(id) => unwrap(api.DELETE('/api/lists/{id}', { params: { path: { id } } }))}
      removal={{ confirm: t('lists.delete.confirm'), text: t('lists.delete.text') }}
      queryKeys={[['lists'], ['contacts']]}
    />
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
