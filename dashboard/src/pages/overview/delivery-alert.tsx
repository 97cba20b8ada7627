import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';

import { answerOf, api } from '../../api/client';
import { Time } from '../../components/time';

/** That the provider refuses all of the account's mail, where it does. */
export function DeliveryAlert() {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/settings', { signal })),
    refetchInterval: 30_000,
  });
  if (data?.delivery.state !== 'paused') return null;
  const { reason, until } = data.delivery;
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<CirclePause size={18} />}
      title="Sending is paused: the provider refuses this account’s mail"
      mb="md"
    >
      {reason} Waiting messages are tried again <Time value={until} missing="soon" />.
    </Alert>
  );
}
