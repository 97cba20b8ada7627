import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, ShieldBan, Upload } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { FilterBar } from '../../components/filter-bar';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SearchField } from '../../components/search-field';
import { ChannelFilter, SelectFilter } from '../../components/select-filter';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { TimeAgo } from '../../components/time-ago';
import { RowActions } from '../../components/row-actions';
import { useAction } from '../../components/use-action';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';

/** Loaded on demand because they are rarely used. */
const AddSuppression = lazy(() => import('./add-suppression'));
const ImportSuppressions = lazy(() => import('./import-suppressions'));

type Suppression = Schemas['SuppressionResponse'];

const REASONS: readonly Suppression['reason'][] = ['unsubscribed', 'bounced', 'complained', 'manual', 'sms_opt_out'];

export default function SuppressionsPage() {
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const { columns, button } = useColumnChoice('suppressions', isAdmin ? [...COLUMNS, ACTIONS] : COLUMNS);
  const [isAdding, adding] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const query = {
    search: filters.optional('search'),
    reason: filters.optional('reason') as Suppression['reason'] | undefined,
    channel: filters.optional('channel') as Suppression['channel'] | undefined,
  };
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Addresses and numbers this account must not send to. Messages to them are rejected."
      >
        <ExportButton path="/api/suppressions/export" query={query} fileName="suppressions.csv" />
        {isAdmin && (
          <>
            <Button variant="default" leftSection={<Upload size={16} />} onClick={importing.open}>
              Import
            </Button>
            <Button leftSection={<Plus size={16} />} onClick={adding.open}>
              Suppress address
            </Button>
          </>
        )}
      </PageHeader>
      <Panel isFlush>
        <SuppressionFilters filters={filters} columns={button} />
        <PageList
          caption="Suppressions"
          queryKey={['suppressions', query]}
          load={(page, signal) =>
            unwrap(api.GET('/api/suppressions', { params: { query: { ...query, page } }, signal }))
          }
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={ShieldBan} title={filters.isFiltered ? 'No matching suppressions' : 'No suppressions yet'}>
              {!filters.isFiltered &&
                'Addresses are added when they bounce, complain or unsubscribe, or when you add them yourself.'}
            </Empty>
          }
        />
      </Panel>
      <Suspense>
        {isAdding && <AddSuppression isOpen onClose={adding.close} />}
        {isImporting && <ImportSuppressions onClose={importing.close} />}
      </Suspense>
    </>
  );
}

const SuppressionFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar filters={filters} search={<SearchField filters={filters} label="Address" />} end={columns}>
    <SelectFilter
      filters={filters}
      name="reason"
      label="Reason"
      data={REASONS.map((value) => ({ value, label: toLabel(value) }))}
    />
    <ChannelFilter filters={filters} />
  </FilterBar>
);

const COLUMNS: readonly Column<Suppression>[] = [
  {
    header: 'Address',
    cell: ({ address }) => address ?? <span className="dimmed">Erased address</span>,
    width: '30%',
  },
  { header: 'Reason', cell: ({ reason }) => toLabel(reason), width: '8.5rem' },
  { header: 'Source', cell: ({ source }) => toLabel(source), width: '8rem' },
  { header: 'Note', cell: ({ note }) => note ?? '–' },
  { header: 'Since', cell: ({ createdAt }) => <TimeAgo value={createdAt} />, align: 'right', width: '7.5rem' },
];

const ACTIONS: Column<Suppression> = {
  header: 'Actions',
  isHeaderHidden: true,
  align: 'right',
  width: '7.5rem',
  // An erased address is stored as a hash only: there is nothing to name in the confirmation.
  cell: ({ address, ...suppression }) =>
    address !== null && <RemoveSuppression suppression={{ ...suppression, address }} />,
};

function RemoveSuppression({
  suppression: { id, address, reason },
}: {
  suppression: Suppression & { address: string };
}) {
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/suppressions/{id}', { params: { path: { id } } })),
    successMessage: `${address} can receive messages again.`,
    invalidates: [['suppressions']],
  });
  const confirmRemoval = () =>
    confirmAction({
      title: `Remove the suppression of ${address}?`,
      children: WARNINGS[reason],
      confirm: 'Remove suppression',
      onConfirm: remove.mutate,
    });
  return (
    <RowActions>
      <Button
        variant="subtle"
        size="compact-xs"
        loading={remove.isPending}
        aria-label={`Remove ${address}`}
        onClick={confirmRemoval}
      >
        Remove
      </Button>
    </RowActions>
  );
}

const WARNINGS: Readonly<Record<Suppression['reason'], string>> = {
  unsubscribed: 'The recipient unsubscribed. Send to them again only if they have asked for it.',
  bounced:
    'Email to this address bounced. If the address still does not exist, further bounces harm your sender reputation.',
  complained: 'The recipient reported your email as spam. Send to them again only if they have asked for it.',
  manual: 'This address was suppressed manually. Messages to it will be accepted again.',
  sms_opt_out: 'The recipient opted out of SMS. Send to them again only if they have asked for it.',
};
