import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { api, unwrap } from '../api/client';

const POLL_EVERY_MS = 4_000;
/** The interval on a visible page without the focus, such as one on a second screen. */
const POLL_UNFOCUSED_EVERY_MS = 15_000;
/** The interval while messages change all the time, so that open dashboards do not read lists all the time. */
const POLL_BUSY_EVERY_MS = 30_000;
/** Messages change all the time once this many polls in a row have found changes. */
const BUSY_AFTER_POLLS = 3;

/** The queries that are refetched when messages have changed. */
const SHOWS_MESSAGES = [['messages'], ['overview'], ['usage']];

/**
 * Keeps the messages on a page up to date: polls the version of the account's messages, which is cheap, and refetches
 * the queries when it has changed. Pauses while the tab is hidden.
 */
export function useLiveMessages({ isPaused = false } = {}): void {
  const queryClient = useQueryClient();
  const known = useRef<string>(undefined);
  const changesInARow = useRef(0);
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['messages-version'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/version', { signal })),
    refetchInterval: () => {
      if (changesInARow.current >= BUSY_AFTER_POLLS) return POLL_BUSY_EVERY_MS;
      return document.hasFocus() ? POLL_EVERY_MS : POLL_UNFOCUSED_EVERY_MS;
    },
    staleTime: 0,
    enabled: !isPaused,
  });
  useWindowEvent('focus', () => {
    if (!isPaused) void refetch();
  });
  const version = data?.version;
  useEffect(() => {
    if (isPaused || version === undefined) return;
    const hasChanged = known.current !== undefined && known.current !== version;
    known.current = version;
    changesInARow.current = hasChanged ? changesInARow.current + 1 : 0;
    if (hasChanged) for (const queryKey of SHOWS_MESSAGES) void queryClient.invalidateQueries({ queryKey });
    // Runs for each answer, also for one that is the same as before.
  }, [version, dataUpdatedAt, isPaused, queryClient]);
}
