import { Button } from '@mantine/core';
import { Plus, Tags } from 'lucide-react';
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
import { TopicDialog } from './topic-dialog';
import type { Topic } from './use-topics';

export default function TopicsPage() {
  const isAdmin = useIsAdmin();
  /** The topic being edited, null for a new one, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<Topic | null>();
  return (
    <>
      <PageHeader title={t('common.section.topics')} description={t('topics.description')}>
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
            {t('topics.new')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('common.section.topics')}
          queryKey={['topics']}
          load={(page, signal) => unwrap(api.GET('/api/topics', { params: { query: { page } }, signal }))}
          columns={isAdmin ? [...COLUMNS, actionsColumn(setEdited)] : COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/messages?topicId=${id}`}
          empty={
            <Empty icon={Tags} title={t('topics.empty.title')}>
              {t('topics.empty.text')}
            </Empty>
          }
        />
      </Panel>
      {edited !== undefined && <TopicDialog topic={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<Topic>[] = [
  { header: 'common.column.name', cell: ({ name }) => name },
  {
    header: 'topics.column.visibility',
    cell: ({ visibility }) => t(`topics.visibility.${visibility}`),
    width: '7.5rem',
    isMinor: true,
  },
  {
    header: 'topics.column.byDefault',
    cell: ({ byDefault }) => t(`topics.byDefault.${byDefault}`),
    width: '9.5rem',
    isMinor: true,
  },
  {
    header: 'common.column.updated',
    cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
    align: 'right',
    width: '7.5rem',
  },
];

const actionsColumn = (onEdit: (topic: Topic) => void): Column<Topic> => ({
  header: 'common.column.actions',
  isHeaderHidden: true,
  align: 'right',
  width: '10rem',
  cell: (topic) => (
    <RowActions>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('topics.edit.label', { name: topic.name })}
        onClick={() => onEdit(topic)}
      >
        {t('topics.edit')}
      </Button>
      <Delete topic={topic} />
    </RowActions>
  ),
});

function Delete({ topic: { id, name } }: { topic: Topic }) {
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/topics/{id}', { params: { path: { id } } })),
    successMessage: t('common.deleted', { name }),
    invalidates: [['topics']],
  });
  return (
    <DangerButton
      isSmall
      label={t('common.action.delete')}
      of={name}
      title={t('common.delete.title', { name })}
      confirm={t('topics.delete.confirm')}
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      {t('topics.delete.text')}
    </DangerButton>
  );
}
