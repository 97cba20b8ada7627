import { Paper, SimpleGrid, Text } from '@mantine/core';

import { outcomeOf } from '../../components/outcome';
import { locale } from '../../texts/language';
import { percent } from '../../texts/percent';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

/** The numbers of messages with an unwanted result. */
export function CampaignTotals({ stats }: { stats: Campaign['stats'] }) {
  const { accepted, sent, bounced, complained } = outcomeOf(stats);
  const { failed, suppressed, canceled } = stats.status;
  const tiles = [
    { label: 'campaigns.totals.unsubscribed', count: stats.unsubscribed, of: sent, share: 'campaigns.totals.ofSent' },
    { label: 'common.messageStatus.bounced', count: bounced, of: sent, share: 'campaigns.totals.ofSent' },
    { label: 'campaigns.totals.complained', count: complained, of: sent, share: 'campaigns.totals.ofSent' },
    {
      label: 'campaigns.totals.notSent',
      count: failed + suppressed + canceled,
      of: accepted,
      share: 'campaigns.totals.ofAccepted',
    },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md">
      {tiles.map(({ label, count, of, share }) => (
        <Paper key={label} className="panel tile">
          <Text size="sm" c="dimmed">
            {t(label)}
          </Text>
          <Text className="tile-number">{count.toLocaleString(locale)}</Text>
          <Text size="xs" c="dimmed">
            {t(share, { share: of === 0 ? '–' : percent(count / of) })}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
