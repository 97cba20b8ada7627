import { Stack } from '@mantine/core';

import type { Schemas } from '../../api/types';
import type { Series } from '../../components/activity-chart';
import { Chart } from '../../components/chart';
import { Panel } from '../../components/panel';

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

export const Charts = ({ activity }: { activity: Schemas['ActivityResponse'] }) => (
  <Stack gap="md">
    {CHARTS.map(({ title, series }) => (
      <Panel key={title} title={title}>
        <Chart title={title} activity={activity} series={series} />
      </Panel>
    ))}
  </Stack>
);
