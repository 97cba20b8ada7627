import { Button } from '@mantine/core';
import { ClipboardList, Plus } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { Status } from '../../components/status';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
import type { SignupForm } from './form-values';

export default function FormsPage() {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHeader title={t('common.section.forms')} description={t('forms.description')}>
        {isAdmin && (
          <Button component={Link} to="/forms/new" leftSection={<Plus size={16} />}>
            {t('forms.new')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('common.section.forms')}
          queryKey={['forms', 'list']}
          load={(page, signal) => unwrap(api.GET('/api/forms', { params: { query: { page } }, signal }))}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/forms/${id}`}
          empty={
            <Empty icon={ClipboardList} title={t('forms.empty.title')}>
              {t('forms.empty.text')}
            </Empty>
          }
        />
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<SignupForm>[] = [
  { header: 'common.column.name', cell: ({ name }) => name },
  {
    header: 'common.column.status',
    cell: ({ status }) => <Status tone={status === 'active' ? 'good' : 'idle'} label={t(`forms.status.${status}`)} />,
    width: '8rem',
  },
  {
    header: 'forms.column.submitted',
    cell: ({ stats }) => t('forms.count', { count: stats.submitted }),
    align: 'right',
    width: '7.5rem',
  },
  {
    header: 'forms.column.confirmed',
    cell: ({ stats }) => t('forms.count', { count: stats.confirmed }),
    align: 'right',
    width: '7.5rem',
  },
  {
    header: 'common.column.updated',
    cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
    align: 'right',
    width: '7.5rem',
    isMinor: true,
  },
];
