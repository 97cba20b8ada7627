import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Globe, Plus } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { t } from '../../texts/text';
import { AddDomain } from './add-domain';
import { CheckStatus } from './check-status';
import { SendersPanel } from './senders-panel';

const REFRESH_EVERY_MS = 10_000;

export default function DomainsPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader title={t('common.section.domains')} description={t('domains.description')} />
      <Stack gap="md">
        <Panel
          isFlush
          title={t('domains.domains')}
          actions={
            isAdmin && (
              <Button size="xs" leftSection={<Plus size={14} />} onClick={open}>
                {t('domains.add')}
              </Button>
            )
          }
        >
          <PageList
            caption={t('domains.domains')}
            queryKey={['domains']}
            load={(page, signal) => unwrap(api.GET('/api/domains', { params: { query: { page } }, signal }))}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/domains/${id}`}
            refreshEveryMs={REFRESH_EVERY_MS}
            empty={
              <Empty icon={Globe} title={t('domains.empty.title')}>
                {t('domains.empty.text')}
              </Empty>
            }
          />
        </Panel>
        <SendersPanel isAdmin={isAdmin} />
      </Stack>
      {isAdding && <AddDomain onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<Schemas['DomainResponse']>[] = [
  { header: 'domains.column.domain', cell: ({ name }) => name },
  { header: 'common.column.status', cell: ({ status }) => <CheckStatus value={status} />, width: '8rem' },
  { header: 'domains.column.dkim', cell: ({ dkim }) => <CheckStatus value={dkim.status} />, width: '8rem' },
  { header: 'domains.column.spf', cell: ({ spf }) => <CheckStatus value={spf.status} />, width: '8rem' },
  {
    header: 'domains.column.mailFrom',
    cell: ({ mailFrom }) => <CheckStatus value={mailFrom.status} />,
    width: '8rem',
  },
  {
    header: 'common.column.added',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
  },
];
