import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { forgetKey } from '../../app/newest-key';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { FilterBar } from '../../components/filter-bar';
import { lazyDialog } from '../../components/lazy-dialog';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SelectFilter } from '../../components/select-filter';
import { RowActions } from '../../components/row-actions';
import { Empty } from '../../components/states';
import { Status, type Tone } from '../../components/status';
import { TestBadge } from '../../components/test-badge';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { useColumnChoice } from '../../components/use-column-choice';
import { useFilters } from '../../components/use-filters';
import { t } from '../../texts/text';
import { KeyUsage } from './key-usage';

const EditKey = lazyDialog(() => import('./edit-key'));
const CreateKey = lazyDialog(() => import('./create-key'));

const STATUSES: readonly ApiKey['status'][] = ['active', 'expired', 'revoked'];
const TONES: Readonly<Record<ApiKey['status'], Tone>> = { active: 'good', expired: 'warning', revoked: 'idle' };

export default function ApiKeysPage() {
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const status = filters.optional('status') as ApiKey['status'] | undefined;
  const [isCreating, { open, close }] = useDisclosure();
  const [changing, change] = useState<ApiKey>();
  const { columns, button } = useColumnChoice('api-keys', useColumns(isAdmin ? change : null));
  return (
    <>
      <PageHeader title={t('common.section.api-keys')} description={t('api-keys.description')}>
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={open}>
            {t('api-keys.create')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <FilterBar filters={filters} end={button}>
          <SelectFilter
            filters={filters}
            name="status"
            label={t('common.column.status')}
            data={STATUSES.map((value) => ({ value, label: t(`api-keys.status.${value}`) }))}
          />
        </FilterBar>
        <PageList
          caption={t('common.section.api-keys')}
          queryKey={['api-keys', status]}
          load={(page, signal) => unwrap(api.GET('/api/api-keys', { params: { query: { page, status } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={KeyRound} title={t(filters.isFiltered ? 'api-keys.empty.filtered' : 'api-keys.empty.title')}>
              {!filters.isFiltered && t('api-keys.empty.text')}
            </Empty>
          }
        />
      </Panel>
      {isCreating && <CreateKey onClose={close} />}
      {changing && <EditKey apiKey={changing} onClose={() => change(undefined)} />}
    </>
  );
}

/** `onChange` is null for members, who cannot change keys. */
function useColumns(onChange: ((key: ApiKey) => void) | null): Column<ApiKey>[] {
  const usage = useQuery({ queryKey: ['usage'], queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })) });
  const usedBy = (id: string) => usage.data && (usage.data.keys.find(({ apiKeyId }) => apiKeyId === id)?.used ?? 0);
  const columns: Column<ApiKey>[] = [
    {
      header: 'common.column.name',
      cell: ({ name, mode }) => (
        <>
          {name} {mode === 'test' && <TestBadge />}
        </>
      ),
      width: '18cqi',
      minWidth: 12,
    },
    {
      header: 'common.column.status',
      cell: ({ status }) => <Status tone={TONES[status]} label={t(`api-keys.status.${status}`)} />,
      width: '7.5rem',
      isMajor: true,
    },
    { header: 'api-keys.column.key', cell: ({ prefix }) => <span className="mono">{prefix}…</span>, width: '7rem' },
    { header: 'api-keys.column.scopes', cell: ({ scopes }) => <span className="mono">{scopes.join(', ')}</span> },
    {
      header: 'api-keys.column.usedToday',
      cell: (key) => <KeyUsage limit={key.dailyLimit} used={usedBy(key.id)} />,
      align: 'right',
      width: '8rem',
    },
    {
      header: 'api-keys.column.allowedFrom',
      cell: ({ ipAllowlist }) =>
        ipAllowlist.length === 0 ? (
          t('api-keys.allowedFrom.anywhere')
        ) : (
          <span className="mono">{ipAllowlist.join(', ')}</span>
        ),
      isExtra: true,
    },
    {
      header: 'api-keys.column.expires',
      cell: ({ expiresAt }) => <TimeAgo value={expiresAt} missing={t('common.never')} />,
      align: 'right',
      width: '7.5rem',
    },
    {
      header: 'api-keys.column.lastUsed',
      cell: ({ lastUsedAt }) => <TimeAgo value={lastUsedAt} missing={t('common.never')} />,
      isMajor: true,
      align: 'right',
      width: '7.5rem',
    },
  ];
  if (onChange)
    columns.push({
      header: 'common.column.actions',
      isHeaderHidden: true,
      align: 'right',
      width: '8.5rem',
      cell: (key) =>
        key.status !== 'revoked' && (
          <RowActions>
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t('api-keys.edit', { name: key.name })}
              onClick={() => onChange(key)}
            >
              {t('common.action.edit')}
            </Button>
            <Revoke apiKey={key} />
          </RowActions>
        ),
    });
  return columns;
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const revoke = useAction({
    run: async () => {
      await unwrap(api.DELETE('/api/api-keys/{id}', { params: { path: { id } } }));
      forgetKey(id);
    },
    successMessage: t('api-keys.revoked', { name }),
    invalidates: [['api-keys']],
  });
  return (
    <DangerButton
      isSmall
      label={t('api-keys.revoke')}
      of={name}
      title={t('api-keys.revoke.title', { name })}
      confirm={t('api-keys.revoke.confirm')}
      isBusy={revoke.isPending}
      onConfirm={revoke.mutate}
    >
      {t('api-keys.revoke.text')}
    </DangerButton>
  );
}
