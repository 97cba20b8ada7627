import { Alert } from '@mantine/core';
import { CirclePause } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Campaign } from './campaign-status';

interface Notice {
  title: string;
  text: ReactNode;
}

const PAUSED: Readonly<Record<NonNullable<Campaign['pauseReason']>, Notice | null>> = {
  user: null,
  guard: {
    title: 'Paused: too many bounces or complaints',
    text: 'Find out why before you resume. Providers may block the whole account.',
  },
  sender_unverified: {
    title: 'Paused: the sender is not verified any more',
    text: 'Verify it under Domains and senders, then resume. Nobody is skipped.',
  },
  missed: {
    title: 'Paused: the start was missed by more than an hour',
    text: 'The service was not running at the set time. Resume to send it now, or cancel it.',
  },
  list_deleted: {
    title: 'Paused: a list of the audience was deleted before the campaign began',
    text: 'Nobody has been mailed yet. Resume to go on without that list, unless it was an excluded one, or cancel the campaign.',
  },
};

const WAITING: Readonly<Record<NonNullable<Campaign['waitingFor']>, Notice>> = {
  daily_cap: {
    title: 'Waiting: the daily limit for campaigns is used up',
    text: 'The campaign continues by itself after midnight UTC.',
  },
  warm_up: {
    title: 'Waiting: the warm-up limit of today is used up',
    text: 'The campaign continues by itself.',
  },
  provider: {
    title: 'Waiting: the provider does not accept messages at the moment',
    text: 'The campaign continues by itself.',
  },
};

/** Why the campaign does not proceed, and what to do about it. */
export function CampaignAlert({ campaign: { status, pauseReason, waitingFor } }: { campaign: Campaign }) {
  const notice = noticeOf(status, pauseReason, waitingFor);
  return (
    notice && (
      <Alert
        color="yellow"
        variant="outline"
        icon={<CirclePause size={18} />}
        title={notice.title}
        mb="md"
        role="status"
      >
        {notice.text}
      </Alert>
    )
  );
}

function noticeOf(
  status: Campaign['status'],
  pauseReason: Campaign['pauseReason'],
  waitingFor: Campaign['waitingFor'],
): Notice | null {
  if (status === 'paused' && pauseReason !== null) return PAUSED[pauseReason];
  return status === 'running' && waitingFor !== null ? WAITING[waitingFor] : null;
}
