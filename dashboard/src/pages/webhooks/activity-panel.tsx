import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { Chart } from '../../components/chart';
import type { Series } from '../../components/activity-chart';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';

const REFRESH_EVERY_MS = 30_000;

const SERIES: readonly Series[] = [
  { name: 'delivered', label: 'Delivered', color: 'teal.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
  { name: 'waiting', label: 'Waiting', color: 'indigo.5' },
];

/** Successes and failures over the last two days. */
export function ActivityPanel({ endpointId }: { endpointId: string }) {
  const { data, error } = useQuery({
    queryKey: ['deliveries', endpointId, 'activity'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/webhooks/{id}/activity', { params: { path: { id: endpointId } }, signal })),
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <Panel title="Last 48 hours" description="By the hour of the event and the present state of its delivery.">
      {data ? (
        <Chart title="Deliveries by hour" activity={data} series={SERIES} />
      ) : error ? (
        <LoadError error={error} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
