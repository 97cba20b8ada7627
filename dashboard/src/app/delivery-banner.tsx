import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import { Link, useMatch } from 'react-router';

import { unwrap, api } from '../api/client';
import type { Schemas } from '../api/types';
import { Time } from '../components/time';

type Delivery = Schemas['DeliveryStateResponse'];

const REFRESH_EVERY_MS = 60_000;

/** On every page: warns if no provider is configured, or if the provider rejects all messages of the account. */
export function DeliveryBanner() {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <>
      {data && !data.canSend.email && <NoProvider />}
      {data && <Paused what="email" delivery={data.delivery} />}
      {data?.sms && <Paused what="SMS" delivery={data.sms.delivery} />}
    </>
  );
}

function NoProvider() {
  const isOnSettings = useMatch('/settings') !== null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<CirclePause size={18} />}
      title="Email cannot be sent: no provider is configured"
      mb="md"
    >
      Messages are accepted and wait in the queue. An admin can configure an SMTP relay or Amazon SES{' '}
      {isOnSettings ? (
        'below'
      ) : (
        <>
          in the{' '}
          <Anchor component={Link} to="/settings" inherit underline="always">
            settings
          </Anchor>
        </>
      )}
      .
    </Alert>
  );
}

function Paused({ what, delivery: { state, reason, until } }: { what: string; delivery: Delivery }) {
  if (state !== 'paused') return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<CirclePause size={18} />}
      title={`Sending is paused: the provider is rejecting this account’s ${what}`}
      mb="md"
    >
      {reason} Queued messages will be retried <Time value={until} missing="soon" />.
    </Alert>
  );
}
