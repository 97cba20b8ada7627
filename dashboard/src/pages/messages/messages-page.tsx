import { Text } from '@mantine/core';
import { Send } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Message, MessageStatus as MessageStatusValue } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { TestBadge } from '../../components/test-badge';
import { Time } from '../../components/time';
import { type Filters, useFilters } from '../../components/use-filters';
import { useSelection } from '../../components/use-selection';
import { MAX_SELECTED } from './bulk-actions';
import { startOfDay } from './local-day';
import { MessageFilters } from './message-filters';
import { isCancelable, isResendable, MessageStatus } from './message-status';
import { SelectionBar } from './selection-bar';

const REFRESH_EVERY_MS = 2_000;

export default function MessagesPage() {
  const filters = useFilters();
  const isAdmin = useIsAdmin();
  const query = toQuery(filters);
  const selection = useSelection({ keyOf: idOf, scope: JSON.stringify(query), max: MAX_SELECTED });
  const isSelecting = selection.rows.length > 0;
  return (
    <>
      <PageHeader title="Messages" description="Accepted messages and their delivery status, newest first." />
      <Panel isFlush>
        <MessageFilters filters={filters} />
        <CursorList
          caption="Messages"
          queryKey={['messages', query]}
          load={(cursor, signal) =>
            unwrap(api.GET('/api/messages', { params: { query: { ...query, cursor, limit: 50 } }, signal }))
          }
          columns={COLUMNS}
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
              <Empty icon={Send} title="No messages yet">
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
  { header: 'To', cell: (message) => <Recipient message={message} /> },
  { header: 'Status', cell: (message) => <StatusCell message={message} />, width: '11rem' },
  { header: 'Subject', cell: ({ subject, channel }) => subject ?? (channel === 'sms' ? 'SMS' : '–') },
  { header: 'From', cell: ({ from }) => from, isMinor: true },
  { header: 'Opens', cell: ({ opens }) => opens || '–', align: 'right', width: '4rem', isMinor: true },
  { header: 'Clicks', cell: ({ clicks }) => clicks || '–', align: 'right', width: '4rem', isMinor: true },
  { header: 'Accepted', cell: ({ createdAt }) => <Time value={createdAt} />, width: '11rem' },
];

const idOf = ({ id }: Message): string => id;

const isSelectable = (message: Message): boolean => isCancelable(message) || isResendable(message);

const nameOf = ({ subject, channel, to }: Message): string =>
  `${subject ?? (channel === 'sms' ? 'SMS' : 'message')} to ${to}`;

/** The status, and the time for which a message is scheduled. */
const StatusCell = ({ message: { status, scheduledAt } }: { message: Message }) => (
  <div>
    <MessageStatus value={status} />
    {status === 'queued' && scheduledAt !== null && (
      <Text c="dimmed" size="xs" className="status-note">
        for <Time value={scheduledAt} />
      </Text>
    )}
  </div>
);

/** The address, and the role unless it is `to`. */
const Recipient = ({ message: { to, role, test } }: { message: Message }) => (
  <>
    {to} {test && <TestBadge />} {role !== 'to' && <span className="dimmed">{toLabel(role)}</span>}
  </>
);

function toQuery(filters: Filters) {
  const status = filters.optional('status')?.split(',') as MessageStatusValue[] | undefined;
  const [from, to] = [filters.optional('from'), filters.optional('to')];
  return {
    status,
    channel: filters.optional('channel') as Message['channel'] | undefined,
    tag: filters.optional('tag'),
    scheduled: filters.optional('scheduled') as 'true' | undefined,
    test: filters.optional('test') as 'true' | undefined,
    search: filters.optional('search'),
    from: from && startOfDay(from),
    to: to && startOfDay(to, { daysLater: 1 }),
  };
}
