import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import { Time } from '../../components/time';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';

interface Props {
  queue: Schemas['QueueResponse'];
  /** Whether the queue is the one of test messages. */
  isTest: boolean;
}

/** Daily limit, queue and webhooks. */
export function CurrentStatusPanel({ queue, isTest }: Props) {
  const listed = isTest ? '&test=true' : '';
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })),
    refetchInterval: 60_000,
  });
  const waiting = queue.queued + queue.sending;
  return (
    <Panel title={t('overview.status.title')}>
      <Stack gap="md">
        {usage.data && <DailyLimit usage={usage.data} />}
        <div>
          <Group justify="space-between">
            <Text size="sm" fw={500}>
              {t('overview.queue')}
            </Text>
            <Link to={`/messages?status=queued,sending${listed}`} className="plain-link">
              {t('overview.messageCount', { count: waiting })}
            </Link>
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            <RichText
              id="overview.queue.details"
              values={{ queued: queue.queued, sending: queue.sending }}
              tags={{
                link: <Anchor component={Link} to={`/messages?scheduled=true${listed}`} inherit underline="always" />,
              }}
            />
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
        {t('common.section.webhooks')}
      </Text>
      <Link to="/webhooks" className="plain-link">
        {failing.length === 0
          ? t('overview.webhooks.noneFailing', { total: data.total })
          : t('overview.webhooks.failing', { failing: failing.length, total: data.total })}
      </Link>
    </Group>
  );
}

const DailyLimit = ({ usage: { cap, used, resetsAt } }: { usage: Schemas['UsageResponse'] }) => (
  <div>
    <Group justify="space-between" mb={6}>
      <Text size="sm" fw={500}>
        {t('overview.dailyLimit')}
      </Text>
      <Text size="sm">{t('overview.dailyLimit.used', { used, cap })}</Text>
    </Group>
    <Progress
      value={Math.min(100, (100 * used) / Math.max(cap, 1))}
      color={used >= cap ? 'red' : 'indigo'}
      size="sm"
      aria-label={t('overview.dailyLimit.share')}
    />
    <Text size="xs" c="dimmed" mt={4}>
      <RichText id="overview.dailyLimit.resets" values={{ time: <Time value={resetsAt} /> }} />
    </Text>
  </div>
);
