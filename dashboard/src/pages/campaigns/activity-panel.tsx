import { SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Activity } from '../../components/activity-chart';
import { Chart } from '../../components/chart';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import type { Campaign } from './campaign-status';

type Interval = Activity['interval'];

const REFRESH_EVERY_MS = { running: 5_000, otherwise: 30_000 };

const CHARTS = [
  {
    title: 'Sent and delivered',
    series: [
      { name: 'sent', label: 'Sent', color: 'indigo.5' },
      { name: 'delivered', label: 'Delivered', color: 'teal.6' },
    ],
  },
  {
    title: 'Opens and clicks',
    series: [
      { name: 'opens', label: 'Opens', color: 'cyan.6' },
      { name: 'clicks', label: 'Clicks', color: 'violet.5' },
    ],
  },
] as const;

/** Submissions, deliveries, opens and clicks over time. */
export function ActivityPanel({ campaign: { id, status } }: { campaign: Campaign }) {
  const [chosen, setChosen] = useState<Interval>();
  const { data, error, refetch } = useQuery({
    queryKey: ['campaigns', id, 'activity', chosen, status], // complete as soon as the campaign is
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/campaigns/{id}/activity', { params: { path: { id }, query: { interval: chosen } }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: status === 'running' ? REFRESH_EVERY_MS.running : REFRESH_EVERY_MS.otherwise,
  });
  const interval = chosen ?? data?.interval;
  return (
    <Panel
      title="Over time"
      description={`When messages were sent, delivered, opened and clicked${interval === 'day' ? ', by UTC day' : ''}.`}
      actions={
        interval && (
          <SegmentedControl
            aria-label="Interval"
            size="xs"
            data={[
              { value: 'hour', label: 'Hours' },
              { value: 'day', label: 'Days' },
            ]}
            value={interval}
            onChange={setChosen}
          />
        )
      }
    >
      {data ? (
        <Charts activity={data} />
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

const Charts = ({ activity }: { activity: Activity }) => (
  <Stack gap="lg">
    {CHARTS.map(({ title, series }) => (
      <div key={title}>
        <Text size="sm" fw={500} mb="xs">
          {title}
        </Text>
        <Chart title={title} activity={activity} series={series} />
      </div>
    ))}
  </Stack>
);
