import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { locale } from '../../texts/language';
import { percent } from '../../texts/percent';
import { t } from '../../texts/text';

type Outcome = Schemas['OutcomeResponse'];
type Reported = Schemas['ReportedResponse'];

/** Whether the number of these results is known. */
export const isReported = (reported: Reported, name: string): boolean =>
  !Object.hasOwn(reported, name) || reported[name as keyof Reported];

const SHOWN = [
  { name: 'sent', of: 'accepted' },
  { name: 'delivered', of: 'sent' },
  { name: 'opened', of: 'sent' },
  { name: 'clicked', of: 'sent' },
  { name: 'bounced', of: 'sent' },
  { name: 'complained', of: 'sent' },
] as const satisfies { name: keyof Outcome; of: keyof Outcome }[];

interface Props {
  total: Outcome;
  reported: Reported;
}

export const Totals = ({ total, reported }: Props) => (
  <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="md">
    {SHOWN.map(({ name, of }) => (
      <Paper key={name} className="panel tile">
        <Text size="sm" c="dimmed">
          {t(`overview.outcome.${name}`)}
        </Text>
        <Text className="tile-number">{isReported(reported, name) ? total[name].toLocaleString(locale) : '–'}</Text>
        <Text size="xs" c="dimmed">
          {isReported(reported, name)
            ? t(`overview.shareOf.${of}`, { share: total[of] === 0 ? '–' : percent(total[name] / total[of]) })
            : t('common.notReported')}
        </Text>
      </Paper>
    ))}
  </SimpleGrid>
);
