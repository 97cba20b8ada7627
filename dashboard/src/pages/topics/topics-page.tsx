import { Tags } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Column } from '../../components/data-table';
import { ManagedList } from '../../components/managed-list';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
import { TopicDialog } from './topic-dialog';
import type { Topic } from './use-topics';

export default function TopicsPage() {
  return (
    <ManagedList
      title={t('common.section.topics')}
      description={t('topics.description')}
      icon={Tags}
      add={t('topics.new')}
      edit={t('common.action.edit')}
      empty={{ title: t('topics.empty.title'), text: t('topics.empty.text') }}
      columns={COLUMNS}
      load={(page, signal) => unwrap(api.GET('/api/topics', { params: { query: { page } }, signal }))}
      linkOf={({ id }) => `/topics/${id}`}
      dialog={(topic, close) => <TopicDialog topic={topic} onClose={close} />}
      remove={(id) => unwrap(api.DELETE('/api/topics/{id}', { params: { path: { id } } }))}
      removal={{ confirm: t('topics.delete.confirm'), text: t('topics.delete.text') }}
      queryKeys={[['topics']]}
    />
  );
}

const COLUMNS: readonly Column<Topic>[] = [
  { header: 'common.column.name', cell: ({ name }) => name },
  {
    header: 'topics.column.visibility',
    cell: ({ visibility }) => t(`topics.visibility.${visibility}`),
    width: '7.5rem',
  },
  {
    header: 'topics.column.byDefault',
    cell: ({ byDefault }) => t(`topics.byDefault.${byDefault}`),
    width: '9.5rem',
  },
  {
    header: 'common.column.updated',
    cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
];
