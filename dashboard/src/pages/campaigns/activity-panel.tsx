import { SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Activity } from '../../components/activity-chart';
import { Chart } from '../../components/chart';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { useIsDeleting } from '../../components/use-is-deleting';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

type Interval = Activity['interval'];

const REFRESH_EVERY_MS = { running: 5_000, otherwise: 30_000 };

const CHARTS = [
  {
    title: 'campaigns.activity.sentAndDelivered',
    series: [
      { name: 'sent', label: 'common.messageStatus.sent', color: 'indigo.5' },
      { name: 'delivered', label: 'common.messageStatus.delivered', color: 'teal.6' },
    ],
  },
  {
    title: 'campaigns.activity.opensAndClicks',
    series: [
      { name: 'opens', label: 'common.column.opens', color: 'cyan.6' },
      { name: 'clicks', label: 'common.column.clicks', color: 'violet.5' },
    ],
  },
] as const;

/** Submissions, deliveries, opens and clicks over time. */
export function ActivityPanel({ campaign: { id, status, stats } }: { campaign: Campaign }) {
  const [chosen, setChosen] = useState<Interval>();
  const isDeleting = useIsDeleting();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['campaigns', id, 'activity', chosen, status], // complete as soon as the campaign is
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/campaigns/{id}/activity', { params: { path: { id }, query: { interval: chosen } }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: isDeleting ? false : REFRESH_EVERY_MS[status === 'running' ? 'running' : 'otherwise'],
  });
  const interval = chosen ?? data?.interval;
  return (
    <Panel
      title={t('campaigns.activity.title')}
      description={t(interval === 'day' ? 'campaigns.activity.descriptionByDay' : 'campaigns.activity.description')}
      actions={
        interval && (
          <SegmentedControl
            aria-label={t('campaigns.activity.interval')}
            size="xs"
            data={[
              { value: 'hour', label: t('campaigns.activity.byHours') },
              { value: 'day', label: t('campaigns.activity.byDays') },
            ]}
            value={interval}
            onChange={setChosen}
          />
        )
      }
    >
      {data ? (
        <Charts activity={data} stats={stats} isStale={isPlaceholderData} />
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

interface ChartsProps {
  activity: Activity;
  stats: Campaign['stats'];
  isStale: boolean;
}

/** Omits the series of results that are not reported. */
const reportedCharts = ({ deliveries, opens, clicks }: Campaign['stats']) => {
  const isReported = { sent: true, delivered: deliveries.reported, opens: opens.reported, clicks: clicks.reported };
  return CHARTS.map(({ title, series }) => ({
    title,
    series: series.filter(({ name }) => isReported[name]),
  })).filter(({ series }) => series.length > 0);
};

const Charts = ({ activity, stats, isStale }: ChartsProps) => (
  <Stack gap="lg" className="replaceable" aria-busy={isStale}>
    {reportedCharts(stats).map(({ title, series }) => (
      <div key={title}>
        <Text size="sm" fw={500} mb="xs">
          {t(title)}
        </Text>
        <Chart
          title={t(title)}
          activity={activity}
          series={series.map(({ label, ...one }) => ({ ...one, label: t(label) }))}
        />
      </div>
    ))}
  </Stack>
);
