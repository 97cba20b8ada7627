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
import { AddDomain } from './add-domain';
import { CheckStatus } from './check-status';
import { SendersPanel } from './senders-panel';

const REFRESH_EVERY_MS = 10_000;

export default function DomainsPage() {
  const isAdmin = useIsAdmin();
  const [isAdding, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Domains and senders"
        description="You can send from any address at a verified domain, and from individually verified addresses."
      />
      <Stack gap="md">
        <Panel
          isFlush
          title="Domains"
          actions={
            isAdmin && (
              <Button size="xs" leftSection={<Plus size={14} />} onClick={open}>
                Add domain
              </Button>
            )
          }
        >
          <PageList
            caption="Domains"
            queryKey={['domains']}
            load={(page, signal) => unwrap(api.GET('/api/domains', { params: { query: { page } }, signal }))}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/domains/${id}`}
            refreshEveryMs={REFRESH_EVERY_MS}
            empty={
              <Empty icon={Globe} title="No domains yet">
                Add the domain you send email from, then publish the DNS records shown.
              </Empty>
            }
          />
        </Panel>
        <SendersPanel isAdmin={isAdmin} />
      </Stack>
      <AddDomain isOpen={isAdding} onClose={close} />
    </>
  );
}

const COLUMNS: readonly Column<Schemas['DomainResponse']>[] = [
  { header: 'Domain', cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <CheckStatus value={status} />, width: '7.5rem' },
  { header: 'DKIM', cell: ({ dkim }) => <CheckStatus value={dkim.status} />, width: '7.5rem' },
  { header: 'SPF', cell: ({ spf }) => <CheckStatus value={spf.status} />, width: '7.5rem' },
  { header: 'MAIL FROM', cell: ({ mailFrom }) => <CheckStatus value={mailFrom.status} />, width: '7.5rem' },
  { header: 'Added', cell: ({ createdAt }) => <TimeAgo value={createdAt} />, align: 'right', width: '7.5rem' },
];
