import { Button, Text } from '@mantine/core';
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

export default function TemplatesPage() {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHeader title="Templates" description="Reusable emails with placeholders.">
        {isAdmin && (
          <Button component={Link} to="/templates/new" leftSection={<Plus size={16} />}>
            New template
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption="Templates"
          queryKey={['templates']}
          load={(page, signal) => unwrap(api.GET('/api/templates', { params: { query: { page } }, signal }))}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/templates/${id}`}
          empty={
            <Empty icon={FileText} title="No templates yet">
              Send requests can refer to a template and supply values for its placeholders.
            </Empty>
          }
        />
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<Schemas['TemplateResponse']>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Subject', cell: ({ subject }) => subject },
  {
    header: 'Variables',
    cell: ({ variables }) => (
      <Text c="dimmed" className="mono">
        {variables.join(', ') || '–'}
      </Text>
    ),
  },
  { header: 'Updated', cell: ({ updatedAt }) => <TimeAgo value={updatedAt} />, align: 'right', width: '7.5rem' },
];
