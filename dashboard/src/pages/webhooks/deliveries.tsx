import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Webhook as WebhookIcon } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { formatDuration } from '../../components/duration';
import { lazyDialog } from '../../components/lazy-dialog';
import { Panel } from '../../components/panel';
import { SelectFilter } from '../../components/select-filter';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useFilters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { DELIVERY_STATES, DeliveryState } from './delivery-state';
import type { Webhook } from './webhook-events';

type Delivery = Schemas['WebhookDeliveryResponse'];

const RetryFailed = lazyDialog(() => import('./retry-failed'));

const REFRESH_EVERY_MS = 2_000;

export function Deliveries({ endpoint: { id: endpointId, enabled, failingSince } }: { endpoint: Webhook }) {
  const isAdmin = useIsAdmin();
  const [isRetrying, { open, close }] = useDisclosure();
  const filters = useFilters();
  const state = filters.optional('state') as Delivery['state'] | undefined;
  const path = { id: endpointId };
  return (
    <Panel
      isFlush
      title={t('webhooks.deliveries')}
      description={t('webhooks.deliveries.description')}
      actions={
        isAdmin &&
        enabled && (
          <Button variant="default" size="xs" onClick={open}>
            {t('webhooks.retryFailed')}
          </Button>
        )
      }
    >
      {isRetrying && <RetryFailed endpointId={endpointId} failingSince={failingSince} onClose={close} />}
      <Group className="filters" gap="xs">
        <SelectFilter
          filters={filters}
          name="state"
          label={t('webhooks.column.state')}
          data={DELIVERY_STATES.map((value) => ({ value, label: t(`webhooks.deliveryState.${value}`) }))}
        />
      </Group>
      <CursorList
        caption={t('webhooks.deliveries')}
        queryKey={['deliveries', endpointId, state]}
        load={(cursor, signal) =>
          unwrap(api.GET('/api/webhooks/{id}/deliveries', { params: { path, query: { state, cursor } }, signal }))
        }
        columns={COLUMNS}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/webhooks/${endpointId}/deliveries/${id}`}
        refreshEveryMs={REFRESH_EVERY_MS}
        empty={
          <Empty
            icon={WebhookIcon}
            title={t(filters.isFiltered ? 'webhooks.deliveries.empty.filtered' : 'webhooks.deliveries.empty.title')}
          >
            {!filters.isFiltered && t('webhooks.deliveries.empty.text')}
          </Empty>
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    header: 'webhooks.column.event',
    cell: ({ event }) => <span className="mono">{event}</span>,
    width: '20cqi',
    minWidth: 12.5,
  },
  { header: 'common.column.contact', cell: ({ recipient }) => recipient ?? '–' },
  { header: 'webhooks.column.state', cell: (delivery) => <StateAndNext delivery={delivery} />, width: '12rem' },
  { header: 'webhooks.column.response', cell: (delivery) => <LastResponse delivery={delivery} />, width: '8rem' },
  { header: 'webhooks.column.attempts', cell: ({ attemptCount }) => attemptCount, align: 'right', width: '5.5rem' },
  {
    header: 'webhooks.column.occurred',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMajor: true,
  },
];

/** The state, and the time of the next attempt after a failed one. */
const StateAndNext = ({ delivery: { state, attemptCount, nextAttemptAt } }: { delivery: Delivery }) => (
  <>
    <DeliveryState value={state} />
    {nextAttemptAt !== null && attemptCount > 0 && (
      <span className="dimmed">
        {' · '}
        <TimeAgo value={nextAttemptAt} />
      </span>
    )}
  </>
);

/** The status and the duration of the last attempt. */
function LastResponse({ delivery: { lastStatusCode, lastDurationMs } }: { delivery: Delivery }) {
  if (lastDurationMs === null) return '–';
  return `${lastStatusCode ?? t('common.none')} · ${formatDuration(lastDurationMs)}`;
}
