import { Group, Progress, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import { Status, type Tone } from '../../components/status';
import { percent } from '../../texts/percent';
import { t, type TextId } from '../../texts/text';

/** The rates from which providers restrict or pause an account. */
const LIMITS = [
  { name: 'bounced', limit: 0.05 },
  { name: 'complained', limit: 0.001 },
] as const;

export const RatesPanel = ({ email }: { email: Schemas['OutcomeResponse'] }) => (
  <Panel title={t('overview.rates.title')} description={t('overview.rates.description')} mb="md">
    <Stack gap="md">
      {LIMITS.map(({ name, limit }) => (
        <Rate
          key={name}
          label={t(`overview.rates.${name}`)}
          limit={limit}
          rate={email.sent === 0 ? 0 : email[name] / email.sent}
        />
      ))}
    </Stack>
  </Panel>
);

function Rate({ label, rate, limit }: { label: string; rate: number; limit: number }) {
  const [tone, verdict, colour] = classify(rate / limit);
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Status tone={tone} label={t(verdict)} />
      </Group>
      <Progress
        value={Math.min(100, (100 * rate) / limit)}
        color={colour}
        size="sm"
        aria-label={t('overview.rates.shareOfLimit', { rate: label })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t('overview.rates.value', { rate: percent(rate), limit: percent(limit) })}
      </Text>
    </div>
  );
}

const classify = (share: number): [Tone, TextId, string] => {
  if (share >= 1) return ['bad', 'overview.rates.above', 'red'];
  return share >= 0.6 ? ['warning', 'overview.rates.near', 'yellow'] : ['good', 'overview.rates.good', 'teal'];
};
