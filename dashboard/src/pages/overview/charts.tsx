import { Stack } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { Chart } from '../../components/chart';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { isKnown } from './totals';

const CHARTS = [
  {
    title: 'overview.chart.sentAndDelivered',
    series: [
      { name: 'sent', color: 'indigo.5' },
      { name: 'delivered', color: 'teal.6' },
    ],
  },
  {
    title: 'overview.chart.openedAndClicked',
    series: [
      { name: 'opened', color: 'cyan.6' },
      { name: 'clicked', color: 'violet.5' },
    ],
  },
  {
    title: 'overview.chart.bouncedAndComplained',
    series: [
      { name: 'bounced', color: 'orange.6' },
      { name: 'complained', color: 'red.7' },
    ],
  },
] as const;

const reportedCharts = (activity: Schemas['ActivityResponse']) =>
  CHARTS.map(({ title, series }) => ({
    title,
    series: series.filter(({ name }) => isKnown(activity, name)),
  })).filter(({ series }) => series.length > 0);

/** Omits the charts of results that are not reported. */
export const Charts = ({ activity }: { activity: Schemas['ActivityResponse'] }) => (
  <Stack gap="md">
    {reportedCharts(activity).map(({ title, series }) => (
      <Panel key={title} title={t(title)}>
        <Chart
          title={t(title)}
          activity={activity}
          series={series.map((one) => ({ ...one, label: t(`overview.outcome.${one.name}`) }))}
        />
      </Panel>
    ))}
  </Stack>
);
