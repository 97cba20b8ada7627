import { Button } from '@mantine/core';
import { FileText, Plus } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';

export default function TemplatesPage() {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHeader title={t('common.section.templates')} description={t('templates.description')}>
        {isAdmin && (
          <Button component={Link} to="/templates/new" leftSection={<Plus size={16} />}>
            {t('templates.new')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('common.section.templates')}
          queryKey={['templates', 'list']}
          load={(page, signal) => unwrap(api.GET('/api/templates', { params: { query: { page } }, signal }))}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/templates/${id}`}
          empty={
            <Empty icon={FileText} title={t('templates.empty.title')}>
              {t('templates.empty.text')}
            </Empty>
          }
        />
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<Schemas['TemplateResponse']>[] = [
  { header: 'common.column.name', cell: ({ name }) => name, width: '30cqi' },
  { header: 'common.column.subject', cell: ({ subject }) => subject },
  {
    header: 'templates.column.variables',
    cell: ({ variables }) => <span className="dimmed mono">{variables.join(', ') || '–'}</span>,
    width: '16rem',
    isMinor: true,
  },
  {
    header: 'common.column.updated',
    cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />,
    align: 'right',
    width: '7.5rem',
  },
];
