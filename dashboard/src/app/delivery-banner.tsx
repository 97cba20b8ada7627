import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import { Link, useMatch } from 'react-router';

import { unwrap, api } from '../api/client';
import type { Schemas } from '../api/types';
import { Time } from '../components/time';
import { Warning } from '../components/warning';
import { RichText } from '../texts/rich-text';
import { t } from '../texts/text';

type Delivery = Schemas['DeliveryStateResponse'];

const REFRESH_EVERY_MS = 60_000;

/** Warns on every page if no provider is configured, or if the provider rejects all messages of the account. */
export function DeliveryBanner() {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <>
      {data && !data.canSend.email && <NoProvider />}
      {data && <Paused channel="email" delivery={data.delivery} />}
      {data?.sms && <Paused channel="sms" delivery={data.sms.delivery} />}
    </>
  );
}

function NoProvider() {
  const isOnSettings = useMatch('/settings') !== null;
  return (
    <Warning icon={CirclePause} title={t('common.banner.noProvider')} mb="md">
      {isOnSettings ? (
        t('common.banner.noProvider.below')
      ) : (
        <RichText
          id="common.banner.noProvider.settings"
          tags={{ link: <Anchor component={Link} to="/settings" inherit underline="always" /> }}
        />
      )}
    </Warning>
  );
}

interface PausedProps {
  channel: 'email' | 'sms';
  delivery: Delivery;
}

function Paused({ channel, delivery: { state, reason, until } }: PausedProps) {
  if (state !== 'paused') return null;
  return (
    <Warning icon={CirclePause} title={t(`common.banner.paused.${channel}`)} mb="md">
      {reason}{' '}
      <RichText
        id="common.banner.paused.retry"
        values={{ time: <Time value={until} missing={t('common.banner.paused.soon')} /> }}
      />
    </Warning>
  );
}
