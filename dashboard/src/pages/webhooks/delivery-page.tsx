import { Accordion, Button, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CopyButton } from '../../components/copy-button';
import { DescriptionList } from '../../components/description-list';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Empty, LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { AttemptItem } from './attempt-item';
import { DeliveryState, isFinished } from './delivery-state';
import { prettyBody } from './pretty-body';

type Delivery = Schemas['WebhookDeliveryDetailResponse'];

const REFRESH_EVERY_MS = 2_000;

export default function DeliveryPage() {
  const { id = '', deliveryId = '' } = useParams();
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', id, 'one', deliveryId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/webhooks/deliveries/{id}', { params: { path: { id: deliveryId } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isFinished(state.data.state) ? REFRESH_EVERY_MS : false),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.event}
        description={
          <>
            <DeliveryState value={data.state} />
            {data.recipient !== null && <span className="break">{` · ${data.recipient}`}</span>}
          </>
        }
        back={{ to: `/webhooks/${id}`, label: t('webhooks.delivery.back') }}
      >
        {isAdmin && <Retry delivery={data} />}
      </PageHeader>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <Panel isFlush title={t('webhooks.column.attempts')}>
              <Attempts delivery={data} />
            </Panel>
            <Panel
              title={t('webhooks.delivery.body')}
              description={t('webhooks.delivery.body.description')}
              actions={<CopyButton value={data.body} label={t('webhooks.delivery.body.copy')} />}
            >
              <pre className="code-block mono">{prettyBody(data.body)}</pre>
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title={t('webhooks.delivery')}>
            <DeliveryDetails delivery={data} />
          </Panel>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Retry({ delivery: { id, state } }: { delivery: Delivery }) {
  const retry = useAction({
    run: () => unwrap(api.POST('/api/webhooks/deliveries/{id}/retry', { params: { path: { id } } })),
    successMessage: t('webhooks.delivery.retried'),
    invalidates: [['deliveries']],
  });
  return (
    <Button
      leftSection={<RotateCw size={16} />}
      loading={retry.isPending}
      disabled={state === 'in_progress'}
      onClick={() => retry.mutate()}
    >
      {t('webhooks.retry')}
    </Button>
  );
}

/** The attempts, newest first; the newest is expanded. */
function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  const newest = attempts.at(-1);
  if (!newest)
    return <Empty title={t('webhooks.delivery.noAttempts.title')}>{t('webhooks.delivery.noAttempts.text')}</Empty>;
  return (
    <Accordion key={newest.id} defaultValue={newest.id} mt="xs" chevronPosition="left">
      {attempts.toReversed().map((attempt) => (
        <AttemptItem key={attempt.id} attempt={attempt} />
      ))}
    </Accordion>
  );
}

const DeliveryDetails = ({ delivery }: { delivery: Delivery }) => (
  <DescriptionList
    items={[
      [
        t('webhooks.delivery.id'),
        <span key="id" className="mono">
          {delivery.id}
        </span>,
      ],
      [t('webhooks.delivery.about'), delivery.recipient],
      [
        t('webhooks.column.event'),
        <span key="event" className="mono">
          {delivery.event}
        </span>,
      ],
      [t('webhooks.column.occurred'), <Time key="happened" value={delivery.createdAt} format="precise" />],
      [t('webhooks.column.attempts'), delivery.attemptCount],
      [
        t('webhooks.delivery.nextAttempt'),
        delivery.nextAttemptAt && <Time value={delivery.nextAttemptAt} format="precise" />,
      ],
      [
        t('webhooks.delivery.completed'),
        delivery.completedAt && <Time value={delivery.completedAt} format="precise" />,
      ],
    ]}
  />
);
