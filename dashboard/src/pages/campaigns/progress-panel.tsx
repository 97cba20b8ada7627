import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';

import { Panel } from '../../components/panel';
import { refreshErrorText } from '../../components/states';
import { locale } from '../../texts/language';
import { t } from '../../texts/text';
import { type Campaign, skippedOf } from './campaign-status';
import { underWayOf } from '../../components/outcome';

/** The progress of the campaign. */
export function ProgressPanel({ campaign, error }: { campaign: Campaign; error: Error | null }) {
  const { progress, stats, status } = campaign;
  const skipped = skippedOf(campaign);
  const underWay = underWayOf(stats);
  const share = (count: number) => (progress.recipients === 0 ? 0 : (100 * count) / progress.recipients);
  const handled = Math.max(0, progress.accepted - underWay);
  return (
    <Panel title={t('campaigns.column.progress')}>
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
          <Count label={t('campaigns.recipients')} value={progress.recipients} />
          <Count
            label={t(status === 'canceled' ? 'campaigns.progress.notSentTo' : 'campaigns.outcome.waiting')}
            value={progress.waiting}
          />
          <Count label={t('campaigns.outcome.accepted')} value={progress.accepted} />
          <Count label={t('campaigns.outcome.skipped')} value={skipped} />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

const Count = ({ label, value }: { label: string; value: number }) => (
  <div>
    <Text className="tile-number">{value.toLocaleString(locale)}</Text>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
  </div>
);

function progressText(campaign: Campaign): string {
  const { status, progress, stats } = campaign;
  if (status === 'completed') return t('campaigns.progress.completed', { count: progress.recipients });
  if (status === 'canceled') return t('campaigns.progress.canceled', { count: progress.waiting });
  if (status === 'paused') return t('campaigns.progress.paused', { count: progress.waiting });
  if (progress.recipients === 0) return t('campaigns.progress.listing');
  if (progress.waiting > 0)
    return t('campaigns.progress.processed', {
      handled: progress.accepted + skippedOf(campaign),
      count: progress.recipients,
    });
  return t('campaigns.progress.delivering', { count: underWayOf(stats) });
}
