import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';

import { type Column, DataTable } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Empty, LoadError, Loading } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { type CaughtMail, listMails } from './demo-inbox';

const REFRESH_EVERY_MS = 2_000;

export default function InboxPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['inbox'],
    queryFn: ({ signal }) => listMails(signal),
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <>
      <PageHeader
        title="Inbox"
        description="All emails sent by this demo, across all accounts. Nothing leaves this machine."
      />
      <Panel isFlush>
        {!data ? (
          error ? (
            <LoadError error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )
        ) : data.items.length === 0 ? (
          <Empty icon={Inbox} title="No emails yet">
            Emails you send appear here.
          </Empty>
        ) : (
          <DataTable
            isOneLine
            caption="Emails"
            columns={COLUMNS}
            rows={data.items}
            keyOf={({ number }) => String(number)}
            linkOf={({ number }) => `/inbox/${number}`}
          />
        )}
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<CaughtMail>[] = [
  { header: 'Subject', cell: ({ subject }) => subject || '(no subject)' },
  { header: 'To', cell: ({ to }) => to.join(', ') },
  { header: 'From', cell: ({ from }) => from },
  { header: 'Received', cell: ({ receivedAt }) => <TimeAgo value={receivedAt} />, align: 'right', width: '7.5rem' },
];
