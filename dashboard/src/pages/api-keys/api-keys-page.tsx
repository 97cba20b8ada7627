import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { ApiKey } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { DangerButton } from '../../components/danger-button';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SelectFilter } from '../../components/select-filter';
import { Empty } from '../../components/states';
import { toLabel, Status, type Tone } from '../../components/status';
import { TestBadge } from '../../components/test-badge';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
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
        <Group className="filters" gap="xs">
          <SelectFilter
            filters={filters}
            name="status"
            label="Status"
            data={STATUSES.map((value) => ({ value, label: toLabel(value) }))}
          />
        </Group>
        <PageList
          caption="API keys"
          queryKey={['api-keys', status]}
          load={(page, signal) => unwrap(api.GET('/api/api-keys', { params: { query: { page, status } }, signal }))}
          columns={useColumns(isAdmin ? change : null)}
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
    { header: 'Name', cell: (key) => <KeyName apiKey={key} /> },
    { header: 'Status', cell: ({ status }) => <Status tone={TONES[status]} label={status} />, width: '7rem' },
    { header: 'Scopes', cell: ({ scopes }) => <span className="mono">{scopes.join(', ')}</span> },
    { header: 'Used today', cell: (key) => <KeyUsage limit={key.dailyLimit} used={usedBy(key.id)} />, width: '6.5rem' },
    {
      header: 'Allowed from',
      cell: ({ ipAllowlist }) =>
        ipAllowlist.length === 0 ? 'Anywhere' : <span className="mono">{ipAllowlist.join(', ')}</span>,
    },
    { header: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} missing="Never" />, width: '7rem' },
    { header: 'Last used', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} missing="Never" />, width: '7rem' },
  ];
  if (onChange)
    columns.push({
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      width: '12.5rem',
      cell: (key) =>
        key.status !== 'revoked' && (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <Button variant="subtle" size="compact-sm" aria-label={`Edit ${key.name}`} onClick={() => onChange(key)}>
              Edit
            </Button>
            <Revoke apiKey={key} />
          </Group>
        ),
    });
  return columns;
}

const KeyName = ({ apiKey: { name, prefix, mode } }: { apiKey: ApiKey }) => (
  <div>
    <Text size="sm" fw={500}>
      {name} {mode === 'test' && <TestBadge />}
    </Text>
    <Text c="dimmed" className="mono">
      {prefix}…
    </Text>
  </div>
);

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
