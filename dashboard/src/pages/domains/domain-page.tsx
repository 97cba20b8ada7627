import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useNavigate, useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import { type Column, DataTable } from '../../components/data-table';
import { DescriptionList } from '../../components/description-list';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Status, type Tone } from '../../components/status';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { CheckStatus } from './check-status';
import { useLiveCheck } from './use-live-check';

/** Loaded after the page. */
const RecordsPanel = lazy(() => import('./records-panel'));

type Domain = Schemas['DomainResponse'];

const REFRESH_EVERY_MS = 10_000;
const CHECKS = [
  { of: 'dkim', label: 'DKIM', meaning: 'Signs your email so that recipients can detect changes.' },
  { of: 'spf', label: 'SPF', meaning: 'Lists the servers that may send for the domain.' },
  { of: 'mailFrom', label: 'MAIL FROM', meaning: 'The domain that bounces are returned to.' },
] as const;

export default function DomainPage() {
  const { id = '' } = useParams();
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery({
    queryKey: ['domains', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/domains/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_EVERY_MS : false),
  });
  useLiveCheck(id, isAdmin && data !== undefined && data.status !== 'verified');
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.name}
        description={<CheckStatus value={data.status} />}
        back={{ to: '/domains', label: 'Domains and senders' }}
      >
        {isAdmin && <Actions domain={data} />}
      </PageHeader>
      <Stack gap="md">
        <Suspense fallback={<Loading />}>
          <RecordsPanel domain={data} isLive={data.status !== 'verified'} />
        </Suspense>
        <Panel isFlush title="Checks">
          <DataTable caption="Checks" columns={checkColumns(data)} rows={CHECKS} keyOf={({ of }) => of} />
        </Panel>
        <DmarcPanel dmarc={data.dmarc} />
      </Stack>
    </>
  );
}

const checkColumns = (domain: Domain): Column<(typeof CHECKS)[number]>[] => [
  { header: 'Check', cell: ({ label }) => label, width: '8rem' },
  { header: 'Status', cell: ({ of }) => <CheckStatus value={domain[of].status} />, width: '8rem' },
  { header: 'Result', cell: ({ of, meaning }) => domain[of].detail ?? meaning },
  { header: 'Last checked', cell: ({ of }) => <Time value={domain[of].checkedAt} missing="Never" />, width: '11.5rem' },
];

const DmarcPanel = ({ dmarc: { status, policy, detail, checkedAt } }: Pick<Domain, 'dmarc'>) => (
  <Panel
    title="DMARC"
    description="Tells receivers what to do with mail that fails DKIM and SPF. Not needed for verification, but Gmail and Yahoo require it for bulk mail."
  >
    <DescriptionList
      items={[
        ['Record', <Status key="status" {...DMARC_STATUS[status]} />],
        ['Policy', policy],
        ['Result', detail],
        ['Last checked', <Time key="checked" value={checkedAt} missing="Never" />],
      ]}
    />
  </Panel>
);

const DMARC_STATUS: Readonly<Record<Domain['dmarc']['status'], { tone: Tone; label: string }>> = {
  found: { tone: 'good', label: 'Found' },
  missing: { tone: 'warning', label: 'Not found' },
  unknown: { tone: 'idle', label: 'Not checked' },
};

function Actions({ domain: { id, name } }: { domain: Domain }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const verify = useAction({
    run: () => unwrap(api.POST('/api/domains/{id}/verify', path)),
    successMessage: ({ status }) => (status === 'verified' ? `${name} is verified.` : `Checked: ${name} is ${status}.`),
    invalidates: [['domains']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/domains/{id}', path)),
    successMessage: `${name} has been removed.`,
    onSuccess: () => void navigate('/domains'),
  });
  return (
    <>
      <DangerButton
        label="Remove"
        title={`Remove ${name}?`}
        confirm="Remove domain"
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Messages from its addresses will be rejected, unless the address is a verified sender.
      </DangerButton>
      <Button leftSection={<RefreshCw size={16} />} onClick={() => verify.mutate()} loading={verify.isPending}>
        Verify now
      </Button>
    </>
  );
}
