import { Group, Progress, Stack, Text } from '@mantine/core';

import type { Schemas } from '../api/types';
import { locale } from '../texts/language';
import { percent } from '../texts/percent';
import { t } from '../texts/text';
import { outcomeOf } from './outcome';
import { Panel } from './panel';

/** The funnel of accepted, sent, delivered, opened and clicked messages. */
export function ResultsPanel({ stats }: { stats: Schemas['MessageTotalsResponse'] }) {
  const { accepted, sent, delivered, opened, clicked } = outcomeOf(stats);
  if (accepted === 0) return null;
  const bars = [
    { label: t('common.messageStatus.sent'), count: sent, colour: 'indigo.5', isReported: true },
    {
      label: t('common.messageStatus.delivered'),
      count: delivered,
      colour: 'teal.6',
      isReported: stats.deliveries.reported,
    },
    { label: t('common.results.opened'), count: opened, colour: 'cyan.6', isReported: stats.opens.reported },
    { label: t('common.results.clicked'), count: clicked, colour: 'violet.5', isReported: stats.clicks.reported },
  ];
  return (
    <Panel title={t('common.results.title')} description={t('common.results.description')}>
      <Stack gap="sm">
        {bars.map(({ label, count, colour, isReported }) => (
          <div key={label}>
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={500}>
                {label}
              </Text>
              <Text size="sm" c={isReported ? undefined : 'dimmed'}>
                {isReported
                  ? `${count.toLocaleString(locale)} (${percent(count / accepted)})`
                  : t('common.notReported')}
              </Text>
            </Group>
            {isReported && (
              <Progress
                value={(100 * count) / accepted}
                color={colour}
                size="lg"
                aria-label={t('common.results.share', { result: label })}
              />
            )}
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
