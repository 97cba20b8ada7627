import { Skeleton } from '@mantine/core';

import type { Activity, Series } from './activity-chart';
import { lazyPart } from './lazy-part';

const HEIGHT = 190;

/** The chart library is loaded after the page. */
const ActivityChart = lazyPart(() => import('./activity-chart'), <Skeleton height={HEIGHT} radius="md" />);

export interface ChartProps {
  title: string;
  series: readonly Series[];
  activity: Activity;
}

export const Chart = (props: ChartProps) => <ActivityChart {...props} height={HEIGHT} />;
