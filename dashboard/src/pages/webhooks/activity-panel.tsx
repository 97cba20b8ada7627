import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { Chart } from '../../components/chart';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { useIsDeleting } from '../../components/use-is-deleting';
import { t } from '../../texts/text';

const REFRESH_EVERY_MS = 30_000;

const SERIES = [
  { name: 'delivered', label: 'webhooks.deliveryState.delivered', color: 'teal.6' },
  { name: 'failed', label: 'webhooks.deliveryState.failed', color: 'red.6' },
  { name: 'waiting', label: 'webhooks.activity.waiting', color: 'indigo.5' },
] as const;

/** Successes and failures over the last two days. */
export function ActivityPanel({ endpointId }: { endpointId: string }) {
  const isDeleting = useIsDeleting();
  const { data, error } = useQuery({
    queryKey: ['deliveries', endpointId, 'activity'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/webhooks/{id}/activity', { params: { path: { id: endpointId } }, signal })),
    refetchInterval: isDeleting ? false : REFRESH_EVERY_MS,
  });
  return (
    <Panel title={t('webhooks.activity.title')} description={t('webhooks.activity.description')}>
      {data ? (
        <Chart
          title={t('webhooks.activity.chart')}
          activity={data}
          series={SERIES.map(({ label, ...one }) => ({ ...one, label: t(label) }))}
        />
      ) : error ? (
        <LoadError error={error} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
