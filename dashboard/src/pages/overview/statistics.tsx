import { Checkbox, Grid, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { unwrap, api } from '../../api/client';
import { PageHeader } from '../../components/page-header';
import { LoadError, Loading, refreshErrorText } from '../../components/states';
import { useFilters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { Charts } from './charts';
import { CurrentStatusPanel } from './current-status-panel';
import { RatesPanel } from './rates-panel';
import { Totals } from './totals';

/** Covers changes that are not announced, such as a new day. */
const REFRESH_EVERY_MS = 60_000;
const PERIODS = ['24h', '7d', '30d'] as const;

/** Charts and totals of a period. Its children are shown above them. */
export function Statistics({ children }: { children: ReactNode }) {
  const filters = useFilters();
  const period = PERIODS.find((value) => value === filters.get('period')) ?? '24h';
  const test = filters.get('test') === 'true' ? 'true' : undefined;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['overview', period, test],
    queryFn: ({ signal }) => unwrap(api.GET('/api/overview', { params: { query: { period, test } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <>
      <PageHeader
        title={t('common.section.overview')}
        description={t(period === '24h' ? 'overview.description.hours' : 'overview.description.days')}
      >
        <Checkbox
          label={t('overview.testMessages')}
          checked={test !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            filters.change({ test: checked ? 'true' : null }, { replace: true })
          }
        />
        <SegmentedControl
          aria-label={t('overview.period')}
          data={PERIODS.map((value) => ({ value, label: t(`overview.period.${value}`) }))}
          value={period}
          onChange={(value) => filters.change({ period: value === '24h' ? null : value }, { replace: true })}
        />
      </PageHeader>
      {children}
      {data && error && (
        <Text size="sm" mb="md" role="status">
          {refreshErrorText(error)}
        </Text>
      )}
      {data ? (
        <Grid gap="md" className="replaceable" aria-busy={isPlaceholderData}>
          <Grid.Col span={12}>
            <Totals total={data.total} reported={data.reported} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Charts activity={data} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <RatesPanel email={data.email} reported={data.reported} />
            <CurrentStatusPanel queue={data.queue} isTest={test !== undefined} />
          </Grid.Col>
        </Grid>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}
