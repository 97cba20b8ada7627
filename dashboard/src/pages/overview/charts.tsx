import { Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';

import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import type { Series } from './activity-chart';

const ActivityChart = lazy(() => import('./activity-chart'));

const HEIGHT = 190;

const CHARTS: readonly { title: string; series: readonly Series[] }[] = [
  {
    title: 'Sent and delivered',
    series: [
      { name: 'sent', label: 'Sent', color: 'indigo.5' },
      { name: 'delivered', label: 'Delivered', color: 'teal.6' },
    ],
  },
  {
    title: 'Opened and clicked',
    series: [
      { name: 'opened', label: 'Opened', color: 'cyan.6' },
      { name: 'clicked', label: 'Clicked', color: 'violet.5' },
    ],
  },
  {
    title: 'Bounced and complained',
    series: [
      { name: 'bounced', label: 'Bounced', color: 'orange.6' },
      { name: 'complained', label: 'Complained', color: 'red.7' },
    ],
  },
];

/** The chart library is loaded after the page. */
export const Charts = ({ activity }: { activity: Schemas['ActivityResponse'] }) => (
  <Stack gap="md">
    {CHARTS.map(({ title, series }) => (
      <Panel key={title} title={title}>
        <Suspense fallback={<Skeleton height={HEIGHT} radius="md" />}>
          <ActivityChart title={title} activity={activity} series={series} height={HEIGHT} />
        </Suspense>
      </Panel>
    ))}
  </Stack>
);
