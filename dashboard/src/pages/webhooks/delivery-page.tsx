import { Accordion, Button, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useParams } from 'react-router';

import { answerOf, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CopyButton } from '../../components/copy-button';
import { Facts } from '../../components/facts';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Empty, Failure, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { AttemptItem } from './attempt';
import { DeliveryState, isOver } from './delivery-state';

type Delivery = Schemas['WebhookDeliveryDetailResponse'];

const REFRESH_EVERY_MS = 2_000;

export default function DeliveryPage() {
  const { id = '', deliveryId = '' } = useParams();
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', id, 'one', deliveryId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/webhooks/deliveries/{id}', { params: { path: { id: deliveryId } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data.state) ? REFRESH_EVERY_MS : false),
  });
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.event}
        description={<DeliveryState value={data.state} />}
        back={{ to: `/webhooks/${id}`, label: 'Back to the endpoint' }}
      >
        {isAdmin && <Retry delivery={data} />}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <Panel isFlush title="Attempts">
              <Attempts delivery={data} />
            </Panel>
            <Panel
              title="Body"
              description="Identical for every attempt; formatted here for readability."
              actions={<CopyButton value={data.body} label="Copy the body as sent" />}
            >
              <pre className="code-block mono">{laidOut(data.body)}</pre>
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title="Delivery">
            <DeliveryFacts delivery={data} />
          </Panel>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Retry({ delivery: { id, state } }: { delivery: Delivery }) {
  const retry = useAction({
    run: () => answerOf(api.POST('/api/webhooks/deliveries/{id}/retry', { params: { path: { id } } })),
    done: 'Another attempt has been queued.',
    changes: [['deliveries']],
  });
  return (
    <Button
      leftSection={<RotateCw size={16} />}
      loading={retry.isPending}
      disabled={state === 'in_progress'}
      onClick={() => retry.mutate()}
    >
      Retry
    </Button>
  );
}

/** The newest first, and opened. */
function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  const newest = attempts.at(-1);
  if (!newest) return <Empty title="No attempts yet">The first attempt starts within seconds.</Empty>;
  return (
    <Accordion key={newest.id} defaultValue={newest.id} mt="xs" chevronPosition="left">
      {attempts.toReversed().map((attempt) => (
        <AttemptItem key={attempt.id} attempt={attempt} />
      ))}
    </Accordion>
  );
}

const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    facts={[
      [
        'Delivery ID',
        <span key="id" className="mono">
          {delivery.id}
        </span>,
      ],
      ['Recipient', delivery.recipient],
      ['Occurred', <Time key="happened" value={delivery.createdAt} format="precise" />],
      ['Attempts', delivery.attemptCount],
      ['Next attempt', delivery.nextAttemptAt && <Time value={delivery.nextAttemptAt} format="precise" />],
      ['Completed', delivery.completedAt && <Time value={delivery.completedAt} format="precise" />],
    ]}
  />
);

function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
