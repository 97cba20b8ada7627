import { Group, Progress, Stack, Text } from '@mantine/core';

import type { Schemas } from '../../api/types';
import { Panel } from '../../components/panel';
import { Status, type Tone } from '../../components/status';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** The rates from which providers restrict or pause an account. */
const LIMITS = [
  { name: 'bounced', label: 'Bounce rate', limit: 0.05 },
  { name: 'complained', label: 'Complaint rate', limit: 0.001 },
] as const;

export const RatesPanel = ({ email }: { email: Schemas['OutcomeResponse'] }) => (
  <Panel
    title="Rates and limits"
    description="Providers may restrict accounts that exceed these limits for email."
    mb="md"
  >
    <Stack gap="md">
      {LIMITS.map(({ name, label, limit }) => (
        <Rate key={name} label={label} limit={limit} rate={email.sent === 0 ? 0 : email[name] / email.sent} />
      ))}
    </Stack>
  </Panel>
);

function Rate({ label, rate, limit }: { label: string; rate: number; limit: number }) {
  const [tone, word, colour] = classify(rate / limit);
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Status tone={tone} label={word} />
      </Group>
      <Progress
        value={Math.min(100, (100 * rate) / limit)}
        color={colour}
        size="sm"
        aria-label={`${label} as a share of its limit`}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {PERCENT.format(rate)} of sent; limit {PERCENT.format(limit)}
      </Text>
    </div>
  );
}

const classify = (share: number): [Tone, string, string] => {
  if (share >= 1) return ['bad', 'Above the limit', 'red'];
  return share >= 0.6 ? ['warning', 'Near the limit', 'yellow'] : ['good', 'Good', 'teal'];
};
