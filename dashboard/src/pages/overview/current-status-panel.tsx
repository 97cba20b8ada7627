import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import { Time } from '../../components/time';

/** Daily limit, queue and webhooks. */
export function CurrentStatusPanel({ queue }: { queue: Schemas['QueueResponse'] }) {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })),
    refetchInterval: 60_000,
  });
  const waiting = queue.queued + queue.sending;
  return (
    <Panel title="Current status">
      <Stack gap="md">
        {usage.data && <DailyLimit usage={usage.data} />}
        <div>
          <Group justify="space-between">
            <Text size="sm" fw={500}>
              Queue
            </Text>
            <Link to="/messages?status=queued,sending" className="plain-link">
              {waiting === 1 ? '1 message' : `${waiting.toLocaleString()} messages`}
            </Link>
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {queue.queued.toLocaleString()} queued, including{' '}
            <Anchor component={Link} to="/messages?scheduled=true" inherit underline="always">
              scheduled messages
            </Anchor>
            ; {queue.sending.toLocaleString()} sending
          </Text>
        </div>
        <WebhookHealth />
      </Stack>
    </Panel>
  );
}

/** Counts endpoints that fail or were disabled for failing. One page suffices: an account has at most 50. */
function WebhookHealth() {
  const { data } = useQuery({
    queryKey: ['webhooks', 'all'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/webhooks', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: 60_000,
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

const DailyLimit = ({ usage: { cap, used, resetsAt } }: { usage: Schemas['UsageResponse'] }) => (
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
