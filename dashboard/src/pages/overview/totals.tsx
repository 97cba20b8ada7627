import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { locale } from '../../texts/language';
import { PERCENT } from '../../texts/percent';
import { t } from '../../texts/text';

type Outcome = Schemas['OutcomeResponse'];

const SHOWN = [
  { name: 'sent', of: 'accepted' },
  { name: 'delivered', of: 'sent' },
  { name: 'opened', of: 'sent' },
  { name: 'clicked', of: 'sent' },
  { name: 'bounced', of: 'sent' },
  { name: 'complained', of: 'sent' },
] as const satisfies { name: keyof Outcome; of: keyof Outcome }[];

export const Totals = ({ total }: { total: Outcome }) => (
  <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="md">
    {SHOWN.map(({ name, of }) => (
      <Paper key={name} className="panel tile">
        <Text size="sm" c="dimmed">
          {t(`overview.outcome.${name}`)}
        </Text>
        <Text className="tile-number">{total[name].toLocaleString(locale)}</Text>
        <Text size="xs" c="dimmed">
          {t(`overview.shareOf.${of}`, { share: total[of] === 0 ? '–' : PERCENT.format(total[name] / total[of]) })}
        </Text>
      </Paper>
    ))}
  </SimpleGrid>
);
