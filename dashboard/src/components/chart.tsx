import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

import type { Activity, Series } from './activity-chart';

const ActivityChart = lazy(() => import('./activity-chart'));

const HEIGHT = 190;

export interface ChartProps {
  title: string;
  series: readonly Series[];
  activity: Activity;
}

/** The chart library is loaded after the page. */
export const Chart = (props: ChartProps) => (
  <Suspense fallback={<Skeleton height={HEIGHT} radius="md" />}>
    <ActivityChart {...props} height={HEIGHT} />
  </Suspense>
);
