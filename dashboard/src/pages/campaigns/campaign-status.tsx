import type { Schemas } from '../../api/types';
import { Status, type Tone } from '../../components/status';
import { t } from '../../texts/text';

export type Campaign = Schemas['CampaignResponse'];
export type CampaignStatusValue = Campaign['status'];

const TONES: Readonly<Record<CampaignStatusValue, Tone>> = {
  draft: 'idle',
  scheduled: 'busy',
  running: 'busy',
  paused: 'warning',
  completed: 'good',
  canceled: 'idle',
};

export const CAMPAIGN_STATUSES = Object.keys(TONES) as CampaignStatusValue[];

export const CampaignStatus = ({ value }: { value: CampaignStatusValue }) => (
  <Status tone={TONES[value]} label={t(`campaigns.status.${value}`)} />
);

/** Whether the campaign can still be edited. */
export const isEditable = ({ status }: Campaign): boolean => status === 'draft' || status === 'scheduled';

/** Recipients whose latest message failed. One who was retried has more messages; the earlier ones have all failed. */
export function failedOf({ progress: { accepted }, stats: { total, status } }: Campaign): number {
  return Math.max(0, status.failed - (total - accepted));
}

export const skippedOf = ({ progress: { skipped } }: Campaign): number =>
  skipped.suppressed + skipped.no_consent + skipped.out_of_topic + skipped.deleted + skipped.failed;
