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

interface Props {
  email: Schemas['OutcomeResponse'];
  reported: Schemas['ReportedResponse'];
}

export const RatesPanel = ({ email, reported }: Props) => (
  <Panel title={t('overview.rates.title')} description={t('overview.rates.description')} mb="md">
    <Stack gap="md">
      {LIMITS.map(({ name, limit }) => (
        <Rate
          key={name}
          label={t(`overview.rates.${name}`)}
          limit={limit}
          rate={email.sent === 0 ? 0 : email[name] / email.sent}
          isReported={reported[name]}
        />
      ))}
    </Stack>
  </Panel>
);

interface RateProps {
  label: string;
  rate: number;
  limit: number;
  /** Otherwise the rate may be higher. */
  isReported: boolean;
}

function Rate({ label, rate, limit, isReported }: RateProps) {
  const [tone, verdict, colour] = classify(rate / limit, isReported);
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
        {t('overview.rates.value', { rate: isReported || rate > 0 ? percent(rate) : '–', limit: percent(limit) })}
      </Text>
    </div>
  );
}

const classify = (share: number, isReported: boolean): [Tone, TextId, string] => {
  if (share >= 1) return ['bad', 'overview.rates.above', 'red'];
  if (share >= 0.6) return ['warning', 'overview.rates.near', 'yellow'];
  return isReported ? ['good', 'overview.rates.good', 'teal'] : ['idle', 'common.notReported', 'gray'];
};
