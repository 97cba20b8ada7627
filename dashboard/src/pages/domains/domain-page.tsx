import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useNavigate, useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import { type Column, DataTable } from '../../components/data-table';
import { DeletedMeanwhile, isDeleted } from '../../components/deleted-meanwhile';
import { DescriptionList } from '../../components/description-list';
import { lazyPart } from '../../components/lazy-part';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Status, type Tone } from '../../components/status';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { useIsDeleting } from '../../components/use-is-deleting';
import { t } from '../../texts/text';
import { CheckStatus } from './check-status';
import { useLiveCheck } from './use-live-check';

const RecordsPanel = lazyPart(() => import('./records-panel'));

type Domain = Schemas['DomainResponse'];

const REFRESH_EVERY_MS = 10_000;
const CHECKS = ['dkim', 'spf', 'mailFrom'] as const;

export default function DomainPage() {
  const { id = '' } = useParams();
  const isAdmin = useIsAdmin();
  const isDeleting = useIsDeleting();
  const { data, error, refetch } = useQuery({
    queryKey: ['domains', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/domains/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data: domain, error: fault } }) =>
      domain?.status === 'pending' && !isDeleted(fault) && !isDeleting ? REFRESH_EVERY_MS : false,
  });
  useLiveCheck(id, isAdmin && data !== undefined && data.status !== 'verified' && !isDeleted(error) && !isDeleting);
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      <PageHeader
        title={data.name}
        description={<CheckStatus value={data.status} />}
        back={{ to: '/domains', label: t('common.section.domains') }}
      >
        {isAdmin && <Actions domain={data} />}
      </PageHeader>
      {isDeleted(error) ? (
        <DeletedMeanwhile title={t('domains.removedMeanwhile')} />
      ) : (
        <Stack gap="md">
          <RecordsPanel domain={data} isLive={data.status !== 'verified' && !isDeleting} />
          <Panel isFlush title={t('domains.checks')}>
            <DataTable
              caption={t('domains.checks')}
              columns={checkColumns(data)}
              rows={CHECKS}
              keyOf={(check) => check}
            />
          </Panel>
          <DmarcPanel dmarc={data.dmarc} />
        </Stack>
      )}
    </>
  );
}

const checkColumns = (domain: Domain): Column<(typeof CHECKS)[number]>[] => [
  { header: 'domains.column.check', cell: (check) => t(`domains.column.${check}`), width: '8rem' },
  { header: 'common.column.status', cell: (check) => <CheckStatus value={domain[check].status} />, width: '8rem' },
  { header: 'domains.column.result', cell: (check) => domain[check].detail ?? t(`domains.check.${check}`) },
  {
    header: 'domains.column.lastChecked',
    cell: (check) => <Time value={domain[check].checkedAt} missing={t('common.never')} />,
    width: '11.5rem',
  },
];

const DmarcPanel = ({ dmarc: { status, policy, detail, checkedAt } }: Pick<Domain, 'dmarc'>) => (
  <Panel title={t('domains.dmarc.title')} description={t('domains.dmarc.description')}>
    <DescriptionList
      items={[
        [
          t('domains.dmarc.record'),
          <Status key="status" tone={DMARC_TONES[status]} label={t(`domains.dmarc.status.${status}`)} />,
        ],
        [t('domains.dmarc.policy'), policy],
        [t('domains.column.result'), detail],
        [t('domains.column.lastChecked'), <Time key="checked" value={checkedAt} missing={t('common.never')} />],
      ]}
    />
  </Panel>
);

const DMARC_TONES: Readonly<Record<Domain['dmarc']['status'], Tone>> = {
  found: 'good',
  missing: 'warning',
  unknown: 'idle',
};

function Actions({ domain: { id, name } }: { domain: Domain }) {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const verify = useAction({
    run: () => unwrap(api.POST('/api/domains/{id}/verify', path)),
    successMessage: ({ status }) => t(`domains.verify.${status}`, { name }),
    invalidates: [['domains']],
  });
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/domains/{id}', path)),
    deletes: [
      ['domains', id],
      ['domain-check', id],
    ],
    successMessage: t('domains.removed', { name }),
    onSuccess: () => void navigate('/domains'),
  });
  return (
    <>
      <DangerButton
        label={t('common.action.remove')}
        title={t('domains.remove.title', { name })}
        confirm={t('domains.remove.confirm')}
        isBusy={remove.isPending}
        onConfirm={remove.mutate}
      >
        {t('domains.remove.text')}
      </DangerButton>
      <Button leftSection={<RefreshCw size={16} />} onClick={() => verify.mutate()} loading={verify.isPending}>
        {t('domains.verify')}
      </Button>
    </>
  );
}
