import { Button, MultiSelect } from '@mantine/core';
import { Megaphone, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { FilterBar } from '../../components/filter-bar';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SearchField } from '../../components/search-field';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';
import {
  type Campaign,
  CAMPAIGN_STATUSES,
  CampaignStatus,
  type CampaignStatusValue,
  isEditable,
  skippedOf,
} from './campaign-status';

const REFRESH_EVERY_MS = 5_000;

export default function CampaignsPage() {
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const { columns, button } = useColumnChoice('campaigns', COLUMNS);
  const query = {
    search: filters.optional('search'),
    status: filters.optional('status')?.split(',') as CampaignStatusValue[] | undefined,
  };
  return (
    <>
      <PageHeader title="Campaigns" description="One email to many contacts, sent apart from transactional messages.">
        {isAdmin && (
          <Button component={Link} to="/campaigns/new" leftSection={<Plus size={16} />}>
            New campaign
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <CampaignFilters filters={filters} columns={button} />
        <PageList
          caption="Campaigns"
          queryKey={['campaigns', 'list', query]}
          load={(page, signal) => unwrap(api.GET('/api/campaigns', { params: { query: { ...query, page } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/campaigns/${id}`}
          refreshEveryMs={REFRESH_EVERY_MS}
          empty={
            filters.isFiltered ? (
              <Empty icon={Megaphone} title="No matching campaigns">
                Remove a filter to see more.
              </Empty>
            ) : (
              <Empty icon={Megaphone} title="No campaigns yet">
                A campaign sends a newsletter or an announcement to the contacts of lists and tags.
              </Empty>
            )
          }
        />
      </Panel>
    </>
  );
}

const CampaignFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar filters={filters} search={<SearchField filters={filters} label="Name" />} end={columns}>
    <MultiSelect
      aria-label="Status"
      placeholder={filters.get('status') ? undefined : 'Any status'}
      data={CAMPAIGN_STATUSES.map((value) => ({ value, label: toLabel(value) }))}
      value={filters.get('status').split(',').filter(Boolean)}
      onChange={(statuses) => filters.change({ status: statuses.join(',') })}
      clearable
      className="status-filter"
      clearButtonProps={{ 'aria-label': 'Clear status' }}
    />
  </FilterBar>
);

const some = (count: number): string => (count === 0 ? '–' : count.toLocaleString());

const COLUMNS: readonly Column<Campaign>[] = [
  { header: 'Name', cell: ({ name }) => name, width: '30%' },
  { header: 'Status', cell: ({ status }) => <CampaignStatus value={status} />, width: '8rem' },
  { header: 'Subject', cell: ({ subject }) => subject ?? '–', isMinor: true },
  { header: 'Progress', cell: (campaign) => progressText(campaign), align: 'right', width: '10rem' },
  { header: 'Opens', cell: ({ stats }) => some(stats.opens.unique), align: 'right', width: '5rem', isMinor: true },
  { header: 'Clicks', cell: ({ stats }) => some(stats.clicks.unique), align: 'right', width: '5rem', isMinor: true },
  { header: 'Started', cell: (campaign) => <Start campaign={campaign} />, align: 'right', width: '9rem' },
];

function progressText(campaign: Campaign): string {
  if (isEditable(campaign)) return '–';
  const { recipients, accepted } = campaign.progress;
  return `${(accepted + skippedOf(campaign)).toLocaleString()} of ${recipients.toLocaleString()}`;
}

const Start = ({ campaign: { status, scheduledAt, startedAt } }: { campaign: Campaign }) =>
  status === 'scheduled' ? (
    <>
      Due <TimeAgo value={scheduledAt} />
    </>
  ) : (
    <TimeAgo value={startedAt} />
  );
