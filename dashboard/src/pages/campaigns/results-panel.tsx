import { Group, Progress, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import type { Campaign } from './campaign-status';
import { outcomeOf } from './outcome';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** How many of the messages got how far. */
export function ResultsPanel({ stats }: { stats: Campaign['stats'] }) {
  const { accepted, sent, delivered, opened, clicked } = outcomeOf(stats);
  if (accepted === 0) return null;
  const bars = [
    { label: 'Sent', count: sent, colour: 'indigo.5' },
    { label: 'Delivered', count: delivered, colour: 'teal.6' },
    { label: 'Opened', count: opened, colour: 'cyan.6' },
    { label: 'Clicked', count: clicked, colour: 'violet.5' },
  ];
  return (
    <Panel title="Results" description="Of the accepted messages, those that got this far.">
      <Stack gap="sm">
        {bars.map(({ label, count, colour }) => (
          <div key={label}>
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={500}>
                {label}
              </Text>
              <Text size="sm">
                {count.toLocaleString()} ({PERCENT.format(count / accepted)})
              </Text>
            </Group>
            <Progress
              value={(100 * count) / accepted}
              color={colour}
              size="lg"
              aria-label={`${label}, as a share of the accepted messages`}
            />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
