import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
import { AddEndpoint } from './add-endpoint';
import { EndpointStatus } from './endpoint-status';
import type { Webhook } from './webhook-events';

const REFRESH_EVERY_MS = 10_000;

export default function WebhooksPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader title={t('common.section.webhooks')} description={t('webhooks.description')}>
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={open}>
            {t('webhooks.add')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption={t('webhooks.endpoints')}
          queryKey={['webhooks']}
          load={(page, signal) => unwrap(api.GET('/api/webhooks', { params: { query: { page } }, signal }))}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/webhooks/${id}`}
          refreshEveryMs={REFRESH_EVERY_MS}
          empty={
            <Empty icon={WebhookIcon} title={t('webhooks.empty.title')}>
              {t('webhooks.empty.text')}
            </Empty>
          }
        />
      </Panel>
      {isAdding && <AddEndpoint onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { header: 'webhooks.column.url', cell: (endpoint) => <Endpoint endpoint={endpoint} />, width: '40cqi' },
  { header: 'common.column.status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} />, width: '8rem' },
  { header: 'webhooks.column.events', cell: ({ events }) => <span className="mono">{events.join(', ')}</span> },
  {
    header: 'common.column.added',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
  },
];

const Endpoint = ({ endpoint: { url, description } }: { endpoint: Webhook }) => (
  <>
    <Text component="span" display="block" size="sm" fw={500}>
      {url}
    </Text>
    {description !== null && (
      <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
        {description}
      </Text>
    )}
  </>
);
