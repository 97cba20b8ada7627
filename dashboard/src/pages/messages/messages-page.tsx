import { Button } from '@mantine/core';
import { Send } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Message, MessageStatus as MessageStatusValue } from '../../api/types';
import { useLiveMessages } from '../../app/use-live-messages';
import { useIsAdmin } from '../../app/use-is-admin';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { useRangeTimes } from '../../components/date-range-filter';
import { Panel } from '../../components/panel';
import { Tags } from '../../components/tags';
import { Empty } from '../../components/states';
import { TestBadge } from '../../components/test-badge';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';
import { useSelection } from '../../components/use-selection';
import { locale } from '../../texts/language';
import { t } from '../../texts/text';
import { TopicName } from '../topics/topic-name';
import { MAX_SELECTED } from './max-selected';
import { MessageFilters } from './message-filters';
import { isCancelable, isResendable, MessageStatus } from './message-status';
import { RowMessageActions } from './row-message-actions';

/** Loaded when the first message is selected. */
const SelectionBar = lazyPart(() => import('./selection-bar'), null);

/** Refetches for changes that `useLiveMessages` does not cover, such as new times of scheduled messages. */
const REFRESH_EVERY_MS = 120_000;

export default function MessagesPage() {
  const filters = useFilters();
  const isAdmin = useIsAdmin();
  const query = toQuery(filters, useRangeTimes(filters));
  const { columns, button } = useColumnChoice('messages', COLUMNS);
  const selection = useSelection({ keyOf: idOf, scope: JSON.stringify(query), max: MAX_SELECTED });
  const isSelecting = selection.rows.length > 0;
  useLiveMessages({ isPaused: isSelecting });
  return (
    <>
      <PageHeader title={t('common.section.messages')} description={t('messages.description')}>
        <ExportButton
          path="/api/messages/export.csv"
          query={{ ...query, status: query.status?.join(',') }}
          fileName="messages.csv"
        />
      </PageHeader>
      <Panel isFlush>
        <MessageFilters filters={filters} columns={button} />
        <CursorList
          caption={t('common.section.messages')}
          queryKey={['messages', query]}
          load={(cursor, signal) =>
            unwrap(api.GET('/api/messages', { params: { query: { ...query, cursor, limit: 50 } }, signal }))
          }
          columns={columns}
          keyOf={idOf}
          linkOf={linkOf}
          // Rows stay in their place while some of them are being selected.
          refreshEveryMs={isSelecting ? false : REFRESH_EVERY_MS}
          selection={isAdmin ? { ...selection, isSelectable, nameOf } : undefined}
          empty={
            filters.isFiltered ? (
              <Empty icon={Send} title={t('messages.noMatches.title')}>
                {t('common.noMatches.filters')}
              </Empty>
            ) : (
              <Empty
                icon={Send}
                title={t('messages.empty.title')}
                action={
                  <Button component={Link} to="/overview" variant="default" size="xs">
                    {t('messages.empty.action')}
                  </Button>
                }
              >
                {t('messages.empty.text')}
              </Empty>
            )
          }
        />
        {isSelecting && <SelectionBar messages={selection.rows} onClear={selection.clear} />}
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<Message>[] = [
  { header: 'common.column.to', cell: (message) => <Recipient message={message} />, width: '27cqi' },
  {
    header: 'common.column.status',
    cell: (message) => <StatusCell message={message} />,
    width: 'clamp(7.5rem, 17cqi, 10.5rem)',
  },
  {
    header: 'common.column.subject',
    cell: ({ subject, channel }) => subject ?? (channel === 'sms' ? t('common.channel.sms') : '–'),
    minWidth: 12,
  },
  { header: 'common.column.from', cell: ({ from }) => from, isExtra: true },
  { header: 'common.column.tags', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} max={1} />, isExtra: true },
  {
    header: 'common.field.topic',
    cell: ({ topicId }) => (topicId === null ? '–' : <TopicName id={topicId} />),
    isExtra: true,
  },
  { header: 'messages.column.campaign', cell: ({ campaign }) => campaign?.name ?? '–', isExtra: true },
  { header: 'common.column.error', cell: ({ error }) => error ?? '–', isExtra: true },
  {
    header: 'common.column.opens',
    cell: ({ opens }) => countOf(opens),
    align: 'right',
    width: '5.75rem',
    isMinor: true,
  },
  {
    header: 'common.column.clicks',
    cell: ({ clicks }) => countOf(clicks),
    align: 'right',
    width: '4rem',
    isMinor: true,
  },
  {
    header: 'common.messageStatus.sent',
    cell: ({ sentAt }) => <TimeAgo value={sentAt} />,
    align: 'right',
    width: '7.5rem',
    isExtra: true,
  },
  {
    header: 'messages.column.accepted',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.25rem',
  },
  {
    header: 'common.column.actions',
    isHeaderHidden: true,
    isMinor: true,
    align: 'right',
    width: '5rem',
    cell: (message) => <RowMessageActions message={message} />,
  },
];

const countOf = (count: number): string => (count === 0 ? '–' : count.toLocaleString(locale));

const idOf = ({ id }: Message): string => id;

const linkOf = ({ id }: Message): string => `/messages/${id}`;

const isSelectable = (message: Message): boolean => isCancelable(message) || isResendable(message);

const nameOf = ({ subject, channel, to }: Message): string =>
  subject === null ? t(`messages.name.${channel}`, { to }) : t('messages.name', { subject, to });

/** The status, and the time for which a message is scheduled. */
const StatusCell = ({ message: { status, scheduledAt } }: { message: Message }) => (
  <>
    <MessageStatus value={status} />
    {status === 'queued' && scheduledAt !== null && (
      <span className="dimmed">
        {' · '}
        <TimeAgo value={scheduledAt} />
      </span>
    )}
  </>
);

/** The address, and the role unless it is `to`. */
const Recipient = ({ message: { to, role, test } }: { message: Message }) => (
  <>
    {to} {test && <TestBadge />} {role !== 'to' && <span className="dimmed">{t(`messages.role.${role}`)}</span>}
  </>
);

function toQuery(filters: Filters, range: { from?: string; to?: string }) {
  const status = filters.optional('status')?.split(',') as MessageStatusValue[] | undefined;
  return {
    status,
    channel: filters.optional('channel') as Message['channel'] | undefined,
    tag: filters.optional('tag'),
    topicId: filters.optional('topicId'),
    scheduled: filters.optional('scheduled') as 'true' | undefined,
    test: filters.optional('test') as 'true' | undefined,
    search: filters.optional('search'),
    ...range,
  };
}
