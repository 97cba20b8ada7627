import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import { refreshErrorText } from '../../components/states';
import { recipients } from './audience-count';
import { type Campaign, skippedOf } from './campaign-status';
import { underWayOf } from './outcome';

/** How far the campaign has got. */
export function ProgressPanel({ campaign, error }: { campaign: Campaign; error: Error | null }) {
  const { progress, stats, status } = campaign;
  const skipped = skippedOf(campaign);
  const underWay = underWayOf(stats);
  const share = (count: number) => (progress.recipients === 0 ? 0 : (100 * count) / progress.recipients);
  const handled = Math.max(0, progress.accepted - underWay);
  return (
    <Panel title="Progress">
      <Stack gap="md">
        <Progress.Root size="lg" aria-hidden>
          <Progress.Section value={share(handled)} color={status === 'completed' ? 'teal' : 'indigo'} />
          <Progress.Section value={share(Math.min(underWay, progress.accepted))} color="indigo.3" />
          <Progress.Section value={share(skipped)} color="yellow.6" />
        </Progress.Root>
        <Text size="sm" role="status">
          {error ? refreshErrorText(error) : progressText(campaign)}
        </Text>
        <SimpleGrid cols={{ base: 2, xs: 4 }}>
          <Count label="Recipients" value={progress.recipients} />
          <Count label={status === 'canceled' ? 'Not sent to' : 'Waiting'} value={progress.waiting} />
          <Count label="Accepted" value={progress.accepted} />
          <Count label="Skipped" value={skipped} />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

const Count = ({ label, value }: { label: string; value: number }) => (
  <div>
    <Text className="tile-number">{value.toLocaleString()}</Text>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
  </div>
);

function progressText(campaign: Campaign): string {
  const { status, progress, stats } = campaign;
  if (status === 'completed') return `Completed: ${recipients(progress.recipients)}.`;
  if (status === 'canceled') return `Canceled: ${progress.waiting.toLocaleString()} got nothing.`;
  if (status === 'paused') return `Paused: ${progress.waiting.toLocaleString()} are waiting.`;
  if (progress.recipients === 0) return 'Writing the list of recipients.';
  if (progress.waiting > 0)
    return `${(progress.accepted + skippedOf(campaign)).toLocaleString()} of ${recipients(progress.recipients)} processed.`;
  const underWay = underWayOf(stats);
  return `All recipients are processed. ${underWay.toLocaleString()} ${underWay === 1 ? 'message is' : 'messages are'} still being delivered.`;
}
