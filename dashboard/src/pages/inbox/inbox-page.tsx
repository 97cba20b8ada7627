import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';

import { type Column, DataTable } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Empty, LoadError, Loading } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
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
      <PageHeader title={t('common.section.inbox')} description={t('inbox.description')} />
      <Panel isFlush>
        {!data ? (
          error ? (
            <LoadError error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )
        ) : data.items.length === 0 ? (
          <Empty icon={Inbox} title={t('inbox.empty.title')}>
            {t('inbox.empty.text')}
          </Empty>
        ) : (
          <DataTable
            isOneLine
            caption={t('inbox.emails')}
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
  { header: 'common.column.subject', cell: ({ subject }) => subject || t('inbox.noSubject'), width: '35cqi' },
  { header: 'common.column.to', cell: ({ to }) => to.join(', ') },
  { header: 'common.column.from', cell: ({ from }) => from },
  {
    header: 'inbox.column.received',
    cell: ({ receivedAt }) => <TimeAgo value={receivedAt} />,
    align: 'right',
    width: '7.5rem',
  },
];
