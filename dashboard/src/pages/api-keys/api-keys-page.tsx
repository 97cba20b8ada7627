import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { FilterBar } from '../../components/filter-bar';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SelectFilter } from '../../components/select-filter';
import { RowActions } from '../../components/row-actions';
import { Empty } from '../../components/states';
import { toLabel, Status, type Tone } from '../../components/status';
import { TestBadge } from '../../components/test-badge';
import { TimeAgo } from '../../components/time-ago';
import { useAction } from '../../components/use-action';
import { useColumnChoice } from '../../components/use-column-choice';
import { useFilters } from '../../components/use-filters';
import { KeyUsage } from './key-usage';

const EditKey = lazy(() => import('./edit-key'));
const CreateKey = lazy(() => import('./create-key'));

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
      <PageHeader
        title="API keys"
        description="Applications authenticate with an API key. Its scopes determine what it can do."
      >
        {isAdmin && (
          <Button leftSection={<Plus size={16} />} onClick={open}>
            Create key
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <FilterBar filters={filters} end={button}>
          <SelectFilter
            filters={filters}
            name="status"
            label="Status"
            data={STATUSES.map((value) => ({ value, label: toLabel(value) }))}
          />
        </FilterBar>
        <PageList
          caption="API keys"
          queryKey={['api-keys', status]}
          load={(page, signal) => unwrap(api.GET('/api/api-keys', { params: { query: { page, status } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={KeyRound} title={filters.isFiltered ? 'No matching keys' : 'No keys yet'}>
              {!filters.isFiltered && 'An API key lets one of your applications send through this account.'}
            </Empty>
          }
        />
      </Panel>
      <Suspense>
        {isCreating && <CreateKey onClose={close} />}
        {changing && <EditKey apiKey={changing} onClose={() => change(undefined)} />}
      </Suspense>
    </>
  );
}

/** `onChange` is null for members, who cannot change keys. */
function useColumns(onChange: ((key: ApiKey) => void) | null): Column<ApiKey>[] {
  const usage = useQuery({ queryKey: ['usage'], queryFn: ({ signal }) => unwrap(api.GET('/api/usage', { signal })) });
  const usedBy = (id: string) => usage.data?.keys.find(({ apiKeyId }) => apiKeyId === id)?.used ?? 0;
  const columns: Column<ApiKey>[] = [
    {
      header: 'Name',
      cell: ({ name, mode }) => (
        <>
          {name} {mode === 'test' && <TestBadge />}
        </>
      ),
    },
    { header: 'Key', cell: ({ prefix }) => <span className="mono">{prefix}…</span>, width: '7rem' },
    { header: 'Status', cell: ({ status }) => <Status tone={TONES[status]} label={status} />, width: '7rem' },
    { header: 'Scopes', cell: ({ scopes }) => <span className="mono">{scopes.join(', ')}</span> },
    {
      header: 'Used today',
      cell: (key) => <KeyUsage limit={key.dailyLimit} used={usedBy(key.id)} />,
      align: 'right',
      width: '8rem',
    },
    {
      header: 'Allowed from',
      cell: ({ ipAllowlist }) =>
        ipAllowlist.length === 0 ? 'Anywhere' : <span className="mono">{ipAllowlist.join(', ')}</span>,
    },
    {
      header: 'Expires',
      cell: ({ expiresAt }) => <TimeAgo value={expiresAt} missing="Never" />,
      align: 'right',
      width: '7.5rem',
    },
    {
      header: 'Last used',
      cell: ({ lastUsedAt }) => <TimeAgo value={lastUsedAt} missing="Never" />,
      align: 'right',
      width: '7.5rem',
    },
  ];
  if (onChange)
    columns.push({
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      width: '8.5rem',
      cell: (key) =>
        key.status !== 'revoked' && (
          <RowActions>
            <Button variant="subtle" size="compact-xs" aria-label={`Edit ${key.name}`} onClick={() => onChange(key)}>
              Edit
            </Button>
            <Revoke apiKey={key} />
          </RowActions>
        ),
    });
  return columns;
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const revoke = useAction({
    run: () => unwrap(api.DELETE('/api/api-keys/{id}', { params: { path: { id } } })),
    successMessage: `“${name}” has been revoked.`,
    invalidates: [['api-keys']],
  });
  return (
    <DangerButton
      isSmall
      label="Revoke"
      of={name}
      title={`Revoke “${name}”?`}
      confirm="Revoke key"
      isBusy={revoke.isPending}
      onConfirm={revoke.mutate}
    >
      Applications that use this key are rejected from their next request. A revoked key cannot be restored.
    </DangerButton>
  );
}
