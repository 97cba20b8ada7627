import { Alert } from '@mantine/core';
import { CirclePause } from 'lucide-react';

import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

type Notice = Exclude<NonNullable<Campaign['pauseReason']>, 'user'> | NonNullable<Campaign['waitingFor']>;

/** Why the campaign does not proceed, and what to do about it. */
export function CampaignAlert({ campaign: { status, pauseReason, waitingFor } }: { campaign: Campaign }) {
  const notice = noticeOf(status, pauseReason, waitingFor);
  return (
    notice && (
      <Alert
        color="yellow"
        variant="outline"
        icon={<CirclePause size={18} />}
        title={t(`campaigns.alert.${notice}.title`)}
        mb="md"
        role="status"
      >
        {t(`campaigns.alert.${notice}.text`)}
      </Alert>
    )
  );
}

function noticeOf(
  status: Campaign['status'],
  pauseReason: Campaign['pauseReason'],
  waitingFor: Campaign['waitingFor'],
): Notice | null {
  if (status === 'paused') return pauseReason === 'user' ? null : pauseReason;
  return status === 'running' ? waitingFor : null;
}
