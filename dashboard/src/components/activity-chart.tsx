import '@mantine/charts/styles.css';

import { BarChart } from '@mantine/charts';

import { locale } from '../texts/language';
import { t } from '../texts/text';

/** The counts of an hour or day by name; `from` is its start. */
type Bucket = { from: string } & Readonly<Record<string, string | number>>;

export interface Activity {
  interval: 'hour' | 'day';
  buckets: readonly Bucket[];
}

export interface Series {
  /** The name of the count in the buckets. */
  name: string;
  label: string;
  color: string;
}

interface Props {
  title: string;
  activity: Activity;
  series: readonly Series[];
  height: number;
}

/** Days are UTC days, as for daily limits. Hours are local; the tooltip shows UTC. */
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const HOUR = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const WEEKDAY_AND_HOUR = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const HOUR_IN_UTC = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

const HOURS_PER_DAY = 24;

const WHOLE = new Intl.NumberFormat(locale);
const SHORT = new Intl.NumberFormat(locale, { notation: 'compact' });

export default function ActivityChart({ title, activity: { buckets, interval }, series, height }: Props) {
  const hour = buckets.length > HOURS_PER_DAY ? WEEKDAY_AND_HOUR : HOUR;
  const format = (from: string) => (interval === 'hour' ? hour : DAY).format(new Date(from));
  const formatWithUtc = (from: string) =>
    interval === 'hour' ? `${format(from)} (${HOUR_IN_UTC.format(new Date(from))} UTC)` : `${format(from)} (UTC)`;
  const sumOf = (name: string) => buckets.reduce((sum, bucket) => sum + Number(bucket[name]), 0);
  const totals = series.map(({ name, label }) => t('common.chart.total', { label, count: sumOf(name) }));
  return (
    <div role="img" aria-label={t('common.chart.summary', { title, totals: totals.join(', ') })}>
      <BarChart
        h={height}
        data={[...buckets]}
        dataKey="from"
        series={[...series]}
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 28, itemSorter: null }}
        gridAxis="x"
        tickLine="none"
        minBarSize={0}
        maxBarWidth={18}
        yAxisProps={{ allowDecimals: false, width: 44, tickFormatter: (count: number) => SHORT.format(count) }}
        valueFormatter={(count) => WHOLE.format(count)}
        xAxisProps={{ minTickGap: 24, tickFormatter: format }}
        tooltipProps={{ labelFormatter: (from) => (typeof from === 'string' ? formatWithUtc(from) : from) }}
        barProps={{ isAnimationActive: false, radius: [2, 2, 0, 0] }}
        barChartProps={{ accessibilityLayer: false, barGap: 1, margin: { top: 10 } }}
      />
    </div>
  );
}
