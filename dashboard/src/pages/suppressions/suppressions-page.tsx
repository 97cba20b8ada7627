import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus, ShieldBan, Upload } from 'lucide-react';
import type { ReactNode } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { FilterBar } from '../../components/filter-bar';
import { lazyDialog } from '../../components/lazy-dialog';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SearchField } from '../../components/search-field';
import { ChannelFilter, SelectFilter } from '../../components/select-filter';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { removeSuppression } from '../../components/remove-suppression';
import { RowActions } from '../../components/row-actions';
import { useAction } from '../../components/use-action';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';
import { t } from '../../texts/text';

/** Loaded on demand because they are rarely used. */
const AddSuppression = lazyDialog(() => import('./add-suppression'));
const ImportSuppressions = lazyDialog(() => import('./import-suppressions'));

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
      <PageHeader title={t('common.section.suppressions')} description={t('suppressions.description')}>
        <ExportButton path="/api/suppressions/export" query={query} fileName="suppressions.csv" />
        {isAdmin && (
          <>
            <Button variant="default" leftSection={<Upload size={16} />} onClick={importing.open}>
              {t('suppressions.import')}
            </Button>
            <Button leftSection={<Plus size={16} />} onClick={adding.open}>
              {t('suppressions.add')}
            </Button>
          </>
        )}
      </PageHeader>
      <Panel isFlush>
        <SuppressionFilters filters={filters} columns={button} />
        <PageList
          caption={t('common.section.suppressions')}
          queryKey={['suppressions', query]}
          load={(page, signal) =>
            unwrap(api.GET('/api/suppressions', { params: { query: { ...query, page } }, signal }))
          }
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty
              icon={ShieldBan}
              title={t(filters.isFiltered ? 'suppressions.noMatches' : 'suppressions.empty.title')}
            >
              {!filters.isFiltered && t('suppressions.empty.text')}
            </Empty>
          }
        />
      </Panel>
      {isAdding && <AddSuppression onClose={adding.close} />}
      {isImporting && <ImportSuppressions onClose={importing.close} />}
    </>
  );
}

const SuppressionFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar
    filters={filters}
    search={<SearchField filters={filters} label={t('common.column.address')} />}
    end={columns}
  >
    <SelectFilter
      filters={filters}
      name="reason"
      label={t('common.column.reason')}
      data={REASONS.map((value) => ({ value, label: t(`common.suppressionReason.${value}`) }))}
    />
    <ChannelFilter filters={filters} />
  </FilterBar>
);

const COLUMNS: readonly Column<Suppression>[] = [
  {
    header: 'common.column.address',
    cell: ({ address }) => address ?? <span className="dimmed">{t('suppressions.erased')}</span>,
    width: '30cqi',
  },
  {
    header: 'common.column.reason',
    cell: ({ reason }) => t(`common.suppressionReason.${reason}`),
    width: '8rem',
    isMajor: true,
  },
  {
    header: 'suppressions.column.source',
    cell: ({ source }) => t(`suppressions.source.${source}`),
    width: '8rem',
  },
  { header: 'suppressions.column.note', cell: ({ note }) => note ?? '–' },
  {
    header: 'suppressions.column.since',
    cell: ({ createdAt }) => <TimeAgo value={createdAt} />,
    align: 'right',
    width: '7.5rem',
    isMajor: true,
  },
];

const ACTIONS: Column<Suppression> = {
  header: 'common.column.actions',
  isHeaderHidden: true,
  align: 'right',
  width: '7rem',
  // An erased address is stored as a hash only: there is nothing to name in the confirmation.
  cell: ({ address, ...suppression }) =>
    address !== null && <RemoveSuppression suppression={{ ...suppression, address }} />,
};

function RemoveSuppression({ suppression }: { suppression: Suppression & { address: string } }) {
  const { address, reason } = suppression;
  const remove = useAction({
    // The confirmation names the reason: the entry is removed with that reason only.
    run: () => removeSuppression(suppression),
    successMessage: t('suppressions.removed', { address }),
    invalidates: [['suppressions'], ['contacts'], ['contact']],
    refetchesOnConflict: true,
  });
  const confirmRemoval = () =>
    confirmAction({
      title: t('suppressions.remove.title', { address }),
      children: t(`suppressions.remove.${reason}`),
      confirm: t('suppressions.remove.confirm'),
      onConfirm: remove.mutate,
    });
  return (
    <RowActions>
      <Button
        variant="subtle"
        size="compact-xs"
        loading={remove.isPending}
        aria-label={t('suppressions.remove.label', { address })}
        onClick={confirmRemoval}
      >
        {t('common.action.remove')}
      </Button>
    </RowActions>
  );
}
