import { Button, Group, Pagination, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

import { t } from '../texts/text';
import { type Column, DataTable } from './data-table';
import { Empty, LoadError, Loading, refreshErrorText } from './states';

export interface NumberedPage<T> {
  items: T[];
  total: number;
  /** Whether `total` comes from a cache. */
  totalIsEstimate?: boolean;
  page: number;
  totalPages: number;
}

interface Props<T> {
  caption: string;
  /** The resource and its filters. */
  queryKey: readonly unknown[];
  load: (page: number, signal: AbortSignal) => Promise<NumberedPage<T>>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  linkOf?: (row: T) => string;
  empty: ReactNode;
  refreshEveryMs?: number;
  /** The query parameter that holds the page number. Two lists on one page need different ones. */
  pageParameter?: string;
}

/** A list with numbered pages. The page number is a query parameter. */
export function PageList<T>({ queryKey, load, empty, refreshEveryMs, pageParameter = 'page', ...table }: Props<T>) {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get(pageParameter))) || 1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => load(page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEveryMs ?? false,
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  // That nothing was found before says nothing about what is being loaded.
  if (isPlaceholderData && data.items.length === 0) return <Loading />;
  if (data.total === 0) return empty;
  const goTo = (target: number) =>
    setParams((before) => {
      before.set(pageParameter, String(target));
      return before;
    });
  const last = Math.max(1, data.totalPages);
  return (
    <>
      {data.items.length > 0 ? (
        <DataTable {...table} isOneLine rows={data.items} isStale={isPlaceholderData} />
      ) : (
        <Empty
          title={t('common.page.missing')}
          action={
            <Button variant="default" size="xs" onClick={() => goTo(last)}>
              {t('common.page.goToLast')}
            </Button>
          }
        />
      )}
      <Group justify="space-between" px="md" py="sm" className="list-foot">
        <Text size="sm" c="dimmed" role="status">
          {error
            ? refreshErrorText(error)
            : t(data.totalIsEstimate ? 'common.total.estimate' : 'common.total', { count: data.total })}
        </Text>
        {data.totalPages > 1 && (
          <Pagination
            size="sm"
            value={Math.min(page, last)}
            total={data.totalPages}
            onChange={goTo}
            getItemProps={(number) => ({ 'aria-label': t('common.page.number', { number }) })}
            getControlProps={(control) => ({ 'aria-label': t(`common.page.${control}`) })}
          />
        )}
      </Group>
    </>
  );
}
