import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { Campaign } from './campaign-status';
import { outcomeOf } from './outcome';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Messages with a result that nobody wants. */
export function CampaignTotals({ stats }: { stats: Campaign['stats'] }) {
  const { accepted, sent, bounced, complained } = outcomeOf(stats);
  const { failed, suppressed, canceled } = stats.status;
  const tiles = [
    { label: 'Unsubscribed', count: stats.unsubscribed, of: sent, unit: 'sent' },
    { label: 'Bounced', count: bounced, of: sent, unit: 'sent' },
    { label: 'Complained', count: complained, of: sent, unit: 'sent' },
    { label: 'Not sent', count: failed + suppressed + canceled, of: accepted, unit: 'accepted' },
  ];
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md">
      {tiles.map(({ label, count, of, unit }) => (
        <Paper key={label} className="panel tile">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text className="tile-number">{count.toLocaleString()}</Text>
          <Text size="xs" c="dimmed">
            {of === 0 ? '–' : PERCENT.format(count / of)} of {unit}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
