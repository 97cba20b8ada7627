import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { answerOf, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import { Time } from '../../components/time';

/** The queue and the day's cap, as they are now. */
export function NowPanel({ queue }: { queue: Schemas['QueueResponse'] }) {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/usage', { signal })),
    refetchInterval: 10_000,
  });
  return (
    <Panel title="Current status">
      <Stack gap="md">
        {usage.data && <Cap usage={usage.data} />}
        <div>
          <Group justify="space-between">
            <Text size="sm" fw={500}>
              Queue
            </Text>
            <Link to="/messages?status=queued,sending" className="plain-link">
              {(queue.queued + queue.sending).toLocaleString()} messages
            </Link>
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {queue.queued.toLocaleString()} queued, {queue.sending.toLocaleString()} sending
          </Text>
        </div>
        <WebhooksNow />
      </Stack>
    </Panel>
  );
}

/** Endpoints that fail, or that were disabled for it; an account has at most fifty. */
function WebhooksNow() {
  const { data } = useQuery({
    queryKey: ['webhooks', 'all'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/webhooks', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: 30_000,
  });
  if (!data || data.total === 0) return null;
  const failing = data.items.filter(({ enabled, failingSince, disabledReason }) =>
    enabled ? failingSince !== null : disabledReason !== null,
  );
  return (
    <Group justify="space-between">
      <Text size="sm" fw={500}>
        Webhooks
      </Text>
      <Link to="/webhooks" className="plain-link">
        {failing.length === 0
          ? `${data.total.toLocaleString()}, none failing`
          : `${failing.length.toLocaleString()} of ${data.total.toLocaleString()} failing`}
      </Link>
    </Group>
  );
}

const Cap = ({ usage: { cap, used, resetsAt } }: { usage: Schemas['UsageResponse'] }) => (
  <div>
    <Group justify="space-between" mb={6}>
      <Text size="sm" fw={500}>
        Daily limit
      </Text>
      <Text size="sm">
        {used.toLocaleString()} of {cap.toLocaleString()}
      </Text>
    </Group>
    <Progress
      value={Math.min(100, (100 * used) / Math.max(cap, 1))}
      color={used >= cap ? 'red' : 'indigo'}
      size="sm"
      aria-label="Share of the daily limit used"
    />
    <Text size="xs" c="dimmed" mt={4}>
      Resets <Time value={resetsAt} />
    </Text>
  </div>
);
