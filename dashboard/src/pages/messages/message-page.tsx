import { Alert, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { DescriptionList } from '../../components/description-list';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { TestBadge } from '../../components/test-badge';
import { Time } from '../../components/time';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { Attachments } from './attachments';
import { MessageActions } from './message-actions';
import { MessageDetails } from './message-details';
import { MessageStatus } from './message-status';
import { RecipientPanel } from './recipient-panel';
import { Recipients } from './recipients';
import { Timeline } from './timeline';

const MessageContent = lazyPart(() => import('./message-content'));

const REFRESH_EVERY_MS = 2_000;

export default function MessagePage() {
  const isAdmin = useIsAdmin();
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['message', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/messages/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data ? REFRESH_EVERY_MS : false),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  const metadata = Object.entries(data.metadata);
  return (
    <>
      <PageHeader
        title={data.subject ?? t('common.column.message')}
        heading={data.subject ?? t(data.channel === 'sms' ? 'common.channel.sms' : 'messages.noSubject')}
        description={
          <>
            <MessageStatus value={data.status} /> {data.test && <TestBadge />}
            {data.status === 'queued' && data.scheduledAt !== null && (
              <RichText id="messages.scheduledFor" values={{ time: <Time value={data.scheduledAt} /> }} />
            )}
            {data.role !== 'to' && (
              <span className="break">
                {' · '}
                {t(`messages.recipientAs.${data.role}`, { address: data.to })}
              </span>
            )}
          </>
        }
        back={{ to: '/messages', label: t('common.section.messages') }}
      >
        {isAdmin && <MessageActions message={data} />}
      </PageHeader>
      <LastError message={data} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <MessageContent message={data} />
            {data.attachments.length > 0 && <Attachments messageId={data.id} attachments={data.attachments} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            <Panel title={t('messages.timeline')}>
              <Timeline message={data} />
            </Panel>
            <RecipientPanel message={data} />
            {data.copies && (
              <Panel title={t('messages.recipients')} description={t('messages.recipients.description')}>
                <Recipients message={data} />
              </Panel>
            )}
            <Panel title={t('messages.details')}>
              <MessageDetails message={data} />
            </Panel>
            {metadata.length > 0 && (
              <Panel title={t('messages.metadata')}>
                <DescriptionList items={metadata} />
              </Panel>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** The error of the last attempt. A message that is queued or canceled has not failed. */
function LastError({ message: { status, error } }: { message: MessageDetail }) {
  if (error === null) return null;
  const hasFailed = status !== 'queued' && status !== 'canceled';
  return (
    <Alert
      color={hasFailed ? 'red' : 'yellow'}
      variant="outline"
      icon={<CircleAlert size={18} />}
      title={t(hasFailed ? 'messages.error.notDelivered' : 'messages.error.lastAttempt')}
      mb="md"
      className="break"
    >
      {error}
    </Alert>
  );
}
