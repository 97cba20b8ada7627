import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Webhook as WebhookIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { formatDuration } from '../../components/duration';
import { Panel } from '../../components/panel';
import { SelectFilter } from '../../components/select-filter';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { Time } from '../../components/time';
import { TimeAgo } from '../../components/time-ago';
import { useFilters } from '../../components/use-filters';
import { DELIVERY_STATES, DeliveryState } from './delivery-state';
import type { Webhook } from './webhook-events';

type Delivery = Schemas['WebhookDeliveryResponse'];

/** Loaded on demand. */
const RetryFailed = lazy(() => import('./retry-failed'));

const REFRESH_EVERY_MS = 2_000;

/** The deliveries of an endpoint. */
export function Deliveries({ endpoint: { id: endpointId, enabled, failingSince } }: { endpoint: Webhook }) {
  const isAdmin = useIsAdmin();
  const [isRetrying, { open, close }] = useDisclosure();
  const filters = useFilters();
  const state = filters.optional('state') as Delivery['state'] | undefined;
  const path = { id: endpointId };
  return (
    <Panel
      isFlush
      title="Deliveries"
      description="Kept for 14 days after completion."
      actions={
        isAdmin &&
        enabled && (
          <Button variant="default" size="xs" onClick={open}>
            Retry failed
          </Button>
        )
      }
    >
      {isRetrying && (
        <Suspense>
          <RetryFailed endpointId={endpointId} failingSince={failingSince} onClose={close} />
        </Suspense>
      )}
      <Group className="filters" gap="xs">
        <SelectFilter
          filters={filters}
          name="state"
          label="State"
          data={DELIVERY_STATES.map((value) => ({ value, label: toLabel(value) }))}
        />
      </Group>
      <CursorList
        caption="Deliveries"
        queryKey={['deliveries', endpointId, state]}
        load={(cursor, signal) =>
          unwrap(api.GET('/api/webhooks/{id}/deliveries', { params: { path, query: { state, cursor } }, signal }))
        }
        columns={COLUMNS}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/webhooks/${endpointId}/deliveries/${id}`}
        refreshEveryMs={REFRESH_EVERY_MS}
        empty={
          <Empty icon={WebhookIcon} title={filters.isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
            {!filters.isFiltered && 'Each event sent to this endpoint is listed here with the endpoint’s response.'}
          </Empty>
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { header: 'Event', cell: (delivery) => <EventAndRecipient delivery={delivery} /> },
  { header: 'State', cell: (delivery) => <StateAndNext delivery={delivery} />, width: '13rem' },
  { header: 'Response', cell: (delivery) => <LastResponse delivery={delivery} />, width: '8rem' },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount, align: 'right', width: '5.5rem' },
  { header: 'Occurred', cell: ({ createdAt }) => <TimeAgo value={createdAt} />, align: 'right', width: '7.5rem' },
];

/** The status and the duration of the last attempt. */
function LastResponse({ delivery: { lastStatusCode, lastDurationMs } }: { delivery: Delivery }) {
  if (lastDurationMs === null) return '–';
  return `${lastStatusCode ?? 'None'} · ${formatDuration(lastDurationMs)}`;
}

const EventAndRecipient = ({ delivery: { event, recipient } }: { delivery: Delivery }) => (
  <>
    <span className="mono">{event}</span>
    {recipient !== null && (
      <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
        {recipient}
      </Text>
    )}
  </>
);

const StateAndNext = ({ delivery: { state, attemptCount, nextAttemptAt } }: { delivery: Delivery }) => (
  <div>
    <DeliveryState value={state} />
    {nextAttemptAt !== null && attemptCount > 0 && (
      <Text size="xs" c="dimmed">
        next attempt <Time value={nextAttemptAt} />
      </Text>
    )}
  </div>
);
