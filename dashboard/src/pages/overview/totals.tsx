import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { locale } from '../../texts/language';
import { percent } from '../../texts/percent';
import { t } from '../../texts/text';

type Outcome = Schemas['OutcomeResponse'];

interface Props {
  total: Outcome;
  reported: Schemas['ReportedResponse'];
}

/** Whether the number of these results is known. Of bounces, those are that a relay has refused in its reply. */
export const isKnown = ({ total, reported }: Props, name: keyof Outcome): boolean =>
  !(name in reported) || reported[name as keyof typeof reported] || (name === 'bounced' && total.bounced > 0);

const SHOWN = [
  { name: 'sent', of: 'accepted' },
  { name: 'delivered', of: 'sent' },
  { name: 'opened', of: 'sent' },
  { name: 'clicked', of: 'sent' },
  { name: 'bounced', of: 'sent' },
  { name: 'complained', of: 'sent' },
] as const satisfies { name: keyof Outcome; of: keyof Outcome }[];

export const Totals = ({ total, reported }: Props) => (
  <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="md">
    {SHOWN.map(({ name, of }) => (
      <Paper key={name} className="panel tile">
        <Text size="sm" c="dimmed">
          {t(`overview.outcome.${name}`)}
        </Text>
        <Text className="tile-number">
          {isKnown({ total, reported }, name) ? total[name].toLocaleString(locale) : '–'}
        </Text>
        <Text size="xs" c="dimmed">
          {isKnown({ total, reported }, name)
            ? t(`overview.shareOf.${of}`, { share: total[of] === 0 ? '–' : percent(total[name] / total[of]) })
            : t('common.notReported')}
        </Text>
      </Paper>
    ))}
  </SimpleGrid>
);
