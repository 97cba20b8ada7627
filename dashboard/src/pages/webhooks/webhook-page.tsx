import { Alert, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { DeletedMeanwhile, isDeleted } from '../../components/deleted-meanwhile';
import { DescriptionList } from '../../components/description-list';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { useIsDeleting } from '../../components/use-is-deleting';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { ActivityPanel } from './activity-panel';
import { Deliveries } from './deliveries';
import { EndpointActions } from './endpoint-actions';
import { EndpointStatus } from './endpoint-status';
import { SecretSection } from './secret-section';
import { TestPanel } from './test-panel';
import type { Webhook } from './webhook-events';

const VerificationPanel = lazyPart(() => import('./verification-panel'));

const REFRESH_EVERY_MS = 5_000;

export default function WebhookPage() {
  const { id = '' } = useParams();
  const isAdmin = useIsAdmin();
  const isDeleting = useIsDeleting();
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isDeleted(state.error) && !isDeleting ? REFRESH_EVERY_MS : false),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.description ?? t('webhooks.webhook')}
        heading={data.url}
        description={<EndpointStatus endpoint={data} />}
        back={{ to: '/webhooks', label: t('common.section.webhooks') }}
      >
        {isAdmin && <EndpointActions endpoint={data} />}
      </PageHeader>
      {isDeleted(error) ? (
        <DeletedMeanwhile title={t('webhooks.deletedMeanwhile')} />
      ) : (
        <>
          <EndpointWarning endpoint={data} />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack gap="md">
                <ActivityPanel endpointId={id} />
                {isAdmin && <TestPanel id={id} />}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack gap="md">
                <Panel title={t('webhooks.endpoint')}>
                  <EndpointDetails endpoint={data} />
                </Panel>
                {isAdmin && <SecretSection endpoint={data} />}
              </Stack>
            </Grid.Col>
            <Grid.Col span={12}>
              <Deliveries endpoint={data} />
            </Grid.Col>
            {isAdmin && (
              <Grid.Col span={12}>
                <VerificationPanel />
              </Grid.Col>
            )}
          </Grid>
        </>
      )}
    </>
  );
}

/** Says why the endpoint was disabled, or since when it has been failing. */
function EndpointWarning({ endpoint: { enabled, disabledReason, disabledAt, failingSince } }: { endpoint: Webhook }) {
  if (enabled && failingSince === null) return null;
  return (
    <Alert
      color={enabled || disabledReason === null ? 'yellow' : 'red'}
      variant="outline"
      icon={<CircleAlert size={18} />}
      title={t(enabled ? 'webhooks.failing.title' : 'webhooks.disabled.title')}
      mb="md"
    >
      {enabled ? (
        <RichText id="webhooks.failing.text" values={{ time: <Time value={failingSince} /> }} />
      ) : disabledReason === null ? (
        <RichText id="webhooks.disabled.manually" values={{ time: <Time value={disabledAt} /> }} />
      ) : (
        <RichText
          id="webhooks.disabled.byService"
          values={{ reason: disabledReason, time: <Time value={disabledAt} /> }}
        />
      )}
    </Alert>
  );
}

const EndpointDetails = ({ endpoint: { description, events, createdAt, updatedAt } }: { endpoint: Webhook }) => (
  <DescriptionList
    items={[
      [t('webhooks.fields.description'), description],
      [
        t('webhooks.column.events'),
        <Stack key="events" gap={2}>
          {events.map((event) => (
            <span key={event} className="mono">
              {event}
            </span>
          ))}
        </Stack>,
      ],
      [t('common.column.added'), <Time key="added" value={createdAt} />],
      [t('common.column.updated'), <Time key="changed" value={updatedAt} />],
    ]}
  />
);
