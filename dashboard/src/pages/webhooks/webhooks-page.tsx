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
import { AddEndpoint } from './add-endpoint';
import { EndpointStatus } from './endpoint-status';
import type { Webhook } from './webhook-events';

const REFRESH_EVERY_MS = 10_000;

export default function WebhooksPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Notify your systems with signed requests about bounces, complaints, unsubscribes and SMS replies."
      >
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={open}>
            Add endpoint
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <PageList
          caption="Endpoints"
          queryKey={['webhooks']}
          load={(page, signal) => unwrap(api.GET('/api/webhooks', { params: { query: { page } }, signal }))}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/webhooks/${id}`}
          refreshEveryMs={REFRESH_EVERY_MS}
          empty={
            <Empty icon={WebhookIcon} title="No endpoints yet">
              An endpoint is a URL in your own system that receives bounces, complaints and unsubscribes as they happen.
            </Empty>
          }
        />
      </Panel>
      <AddEndpoint isOpen={isAdding} onClose={close} />
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { header: 'URL', cell: (endpoint) => <Endpoint endpoint={endpoint} />, width: '40%' },
  { header: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} />, width: '8rem' },
  { header: 'Events', cell: ({ events }) => <span className="mono">{events.join(', ')}</span> },
  { header: 'Added', cell: ({ createdAt }) => <TimeAgo value={createdAt} />, align: 'right', width: '7.5rem' },
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
