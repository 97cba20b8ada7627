import { Paper, SimpleGrid, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';

type Outcome = Schemas['OutcomeResponse'];

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

const SHOWN = [
  { name: 'sent', label: 'Sent', of: 'accepted' },
  { name: 'delivered', label: 'Delivered', of: 'sent' },
  { name: 'opened', label: 'Opened', of: 'sent' },
  { name: 'clicked', label: 'Clicked', of: 'sent' },
  { name: 'bounced', label: 'Bounced', of: 'sent' },
  { name: 'complained', label: 'Complained', of: 'sent' },
] as const satisfies { name: keyof Outcome; label: string; of: keyof Outcome }[];

export const Totals = ({ total }: { total: Outcome }) => (
  <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="md">
    {SHOWN.map(({ name, label, of }) => (
      <Paper key={name} className="panel tile">
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text className="tile-number">{total[name].toLocaleString()}</Text>
        <Text size="xs" c="dimmed">
          {total[of] === 0 ? '–' : PERCENT.format(total[name] / total[of])} of {of}
        </Text>
      </Paper>
    ))}
  </SimpleGrid>
);
