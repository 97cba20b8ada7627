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
import { PageHeader } from '../../components/page-header';
import { useRangeTimes } from '../../components/date-range-filter';
import { Panel } from '../../components/panel';
import { Tags } from '../../components/tags';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { TestBadge } from '../../components/test-badge';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';
import { useSelection } from '../../components/use-selection';
import { MAX_SELECTED } from './bulk-actions';
import { MessageFilters } from './message-filters';
import { isCancelable, isResendable, MessageStatus } from './message-status';
import { RowMessageActions } from './row-message-actions';
import { SelectionBar } from './selection-bar';

/** For what `useLiveMessages` does not cover, such as new times of scheduled messages. */
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
      <PageHeader title="Messages" description="Accepted messages and their delivery status, newest first.">
        <ExportButton
          path="/api/messages/export.csv"
          query={{ ...query, status: query.status?.join(',') }}
          fileName="messages.csv"
        />
      </PageHeader>
      <Panel isFlush>
        <MessageFilters filters={filters} columns={button} />
        <CursorList
          caption="Messages"
          queryKey={['messages', query]}
          load={(cursor, signal) =>
            unwrap(api.GET('/api/messages', { params: { query: { ...query, cursor, limit: 50 } }, signal }))
          }
          columns={columns}
          keyOf={idOf}
          linkOf={({ id }) => `/messages/${id}`}
          // Rows stay in their place while some of them are being selected.
          refreshEveryMs={isSelecting ? false : REFRESH_EVERY_MS}
          selection={isAdmin ? { ...selection, isSelectable, nameOf } : undefined}
          empty={
            filters.isFiltered ? (
              <Empty icon={Send} title="No matching messages">
                Remove a filter to see more. Tags must match exactly.
              </Empty>
            ) : (
              <Empty
                icon={Send}
                title="No messages yet"
                action={
                  <Button component={Link} to="/overview" variant="default" size="xs">
                    Show how to send
                  </Button>
                }
              >
                Messages appear here once an application sends with one of your API keys.
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
  { header: 'To', cell: (message) => <Recipient message={message} />, width: '32%' },
  { header: 'Status', cell: (message) => <StatusCell message={message} />, width: '10.5rem' },
  { header: 'Subject', cell: ({ subject, channel }) => subject ?? (channel === 'sms' ? 'SMS' : '–') },
  { header: 'From', cell: ({ from }) => from, isExtra: true },
  { header: 'Tags', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} max={1} />, isExtra: true },
  { header: 'Campaign', cell: ({ campaign }) => campaign?.name ?? '–', isExtra: true },
  { header: 'Error', cell: ({ error }) => error ?? '–', isExtra: true },
  { header: 'Opens', cell: ({ opens }) => countOf(opens), align: 'right', width: '4rem', isMinor: true },
  { header: 'Clicks', cell: ({ clicks }) => countOf(clicks), align: 'right', width: '4rem', isMinor: true },
  {
    header: 'Submitted',
    cell: ({ sentAt }) => <TimeAgo value={sentAt} />,
    align: 'right',
    width: '7.5rem',
    isExtra: true,
  },
  { header: 'Accepted', cell: ({ createdAt }) => <TimeAgo value={createdAt} />, align: 'right', width: '7rem' },
  {
    header: 'Actions',
    isHeaderHidden: true,
    isMinor: true,
    align: 'right',
    width: '5rem',
    cell: (message) => <RowMessageActions message={message} />,
  },
];

const countOf = (count: number): string => (count === 0 ? '–' : count.toLocaleString());

const idOf = ({ id }: Message): string => id;

const isSelectable = (message: Message): boolean => isCancelable(message) || isResendable(message);

const nameOf = ({ subject, channel, to }: Message): string =>
  `${subject ?? (channel === 'sms' ? 'SMS' : 'message')} to ${to}`;

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
    {to} {test && <TestBadge />} {role !== 'to' && <span className="dimmed">{toLabel(role)}</span>}
  </>
);

function toQuery(filters: Filters, range: { from?: string; to?: string }) {
  const status = filters.optional('status')?.split(',') as MessageStatusValue[] | undefined;
  return {
    status,
    channel: filters.optional('channel') as Message['channel'] | undefined,
    tag: filters.optional('tag'),
    scheduled: filters.optional('scheduled') as 'true' | undefined,
    test: filters.optional('test') as 'true' | undefined,
    search: filters.optional('search'),
    ...range,
  };
}
