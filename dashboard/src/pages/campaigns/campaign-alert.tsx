import { Anchor } from '@mantine/core';
import { CirclePause } from 'lucide-react';
import { Link } from 'react-router';

import { Warning } from '../../components/warning';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

type Notice = Exclude<NonNullable<Campaign['pauseReason']>, 'user'> | NonNullable<Campaign['waitingFor']>;

/** Why the campaign is not proceeding, and what to do about it. */
export function CampaignAlert({ campaign: { status, pauseReason, waitingFor } }: { campaign: Campaign }) {
  const notice = noticeOf(status, pauseReason, waitingFor);
  return (
    notice && (
      <Warning icon={CirclePause} title={t(`campaigns.alert.${notice}.title`)} mb="md" role="status">
        <RichText
          id={`campaigns.alert.${notice}.text`}
          tags={{ link: <Anchor component={Link} to="/settings" inherit underline="always" /> }}
        />
      </Warning>
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
