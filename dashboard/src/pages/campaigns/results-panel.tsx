import { Group, Progress, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import { locale } from '../../texts/language';
import { PERCENT } from '../../texts/percent';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';
import { outcomeOf } from './outcome';

/** How many of the messages got how far. */
export function ResultsPanel({ stats }: { stats: Campaign['stats'] }) {
  const { accepted, sent, delivered, opened, clicked } = outcomeOf(stats);
  if (accepted === 0) return null;
  const bars = [
    { label: t('common.messageStatus.sent'), count: sent, colour: 'indigo.5' },
    { label: t('common.messageStatus.delivered'), count: delivered, colour: 'teal.6' },
    { label: t('campaigns.results.opened'), count: opened, colour: 'cyan.6' },
    { label: t('campaigns.results.clicked'), count: clicked, colour: 'violet.5' },
  ];
  return (
    <Panel title={t('campaigns.results.title')} description={t('campaigns.results.description')}>
      <Stack gap="sm">
        {bars.map(({ label, count, colour }) => (
          <div key={label}>
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={500}>
                {label}
              </Text>
              <Text size="sm">
                {count.toLocaleString(locale)} ({PERCENT.format(count / accepted)})
              </Text>
            </Group>
            <Progress
              value={(100 * count) / accepted}
              color={colour}
              size="lg"
              aria-label={t('campaigns.results.share', { result: label })}
            />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
