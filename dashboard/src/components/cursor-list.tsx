import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight, ChevronsLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

import { type Column, DataTable, type RowSelection } from './data-table';
import { ApiError } from '../api/client';
import { t } from '../texts/text';
import { Empty, LoadError, Loading, refreshErrorText } from './states';
import { useIsDeleting } from './use-is-deleting';

export interface CursorPage<T> {
  items: T[];
  nextCursor: string | null;
}

interface Props<T> {
  caption: string;
  /** The resource and its filters. */
  queryKey: readonly unknown[];
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<T>>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  linkOf?: (row: T) => string;
  empty: ReactNode;
  refreshEveryMs: number | false;
  order?: 'newestFirst' | 'sendingOrder';
  selection?: RowSelection<T>;
}

/** A cursor-paginated list. The cursor is a query parameter, so Back returns to it. */
export function CursorList<T>({ queryKey, load, empty, refreshEveryMs, order = 'newestFirst', ...table }: Props<T>) {
  const [params, setParams] = useSearchParams();
  const cursor = params.get('cursor') ?? undefined;
  const isDeleting = useIsDeleting();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, cursor],
    queryFn: ({ signal }) => load(cursor, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isDeleting ? false : refreshEveryMs,
  });
  const goTo = (next: string | null) => {
    setParams((before) => {
      if (next === null) before.delete('cursor');
      else before.set('cursor', next);
      return before;
    });
  };
  if (!data) {
    if (!error) return <Loading />;
    const isRefused = error instanceof ApiError && error.status === 400;
    if (cursor !== undefined && isRefused)
      return <LoadError error={error} onRetry={() => goTo(null)} retry={t(`common.cursor.${order}.goToFirst`)} />;
    return <LoadError error={error} onRetry={() => void refetch()} />;
  }
  const { items, nextCursor } = data;
  // That nothing was found before says nothing about what is being loaded.
  if (isPlaceholderData && items.length === 0) return <Loading />;
  if (items.length === 0 && nextCursor === null && cursor === undefined) return empty;
  return (
    <>
      {items.length > 0 ? (
        <DataTable {...table} isOneLine rows={items} isStale={isPlaceholderData} />
      ) : (
        <Empty title={t(nextCursor === null ? 'common.cursor.end' : 'common.cursor.noneSoFar')}>
          {nextCursor !== null && t(`common.cursor.${order}.unsearched`)}
        </Empty>
      )}
      <Group justify="space-between" px="md" py="sm" className="list-foot">
        <Text size="sm" c="dimmed" role="status">
          {error ? refreshErrorText(error) : t(`common.cursor.${order}.count`, { count: items.length })}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<ChevronsLeft size={14} />}
            disabled={cursor === undefined}
            onClick={() => {
              goTo(null);
            }}
          >
            {t(`common.cursor.${order}.first`)}
          </Button>
          <Button
            variant="default"
            size="xs"
            rightSection={<ChevronRight size={14} />}
            disabled={nextCursor === null}
            onClick={() => {
              goTo(nextCursor);
            }}
          >
            {t(`common.cursor.${order}.next`)}
          </Button>
        </Group>
      </Group>
    </>
  );
}
