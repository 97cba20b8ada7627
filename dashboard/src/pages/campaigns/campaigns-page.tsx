import { Button, Group, MultiSelect, Text } from '@mantine/core';
import { Megaphone, Plus } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { ClearFilters } from '../../components/clear-filters';
import type { Column } from '../../components/data-table';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SearchField } from '../../components/search-field';
import { Empty } from '../../components/states';
import { toLabel } from '../../components/status';
import { Time } from '../../components/time';
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
        <CampaignFilters filters={filters} />
        <PageList
          caption="Campaigns"
          queryKey={['campaigns', 'list', query]}
          load={(page, signal) => unwrap(api.GET('/api/campaigns', { params: { query: { ...query, page } }, signal }))}
          columns={COLUMNS}
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

const CampaignFilters = ({ filters }: { filters: Filters }) => (
  <Group className="filters" gap="xs">
    <SearchField filters={filters} label="Name" />
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
    <ClearFilters filters={filters} />
  </Group>
);

const some = (count: number): string => (count === 0 ? '–' : count.toLocaleString());

const COLUMNS: readonly Column<Campaign>[] = [
  { header: 'Name', cell: (campaign) => <Name campaign={campaign} />, width: '34%' },
  { header: 'Status', cell: ({ status }) => <CampaignStatus value={status} />, width: '8rem' },
  { header: 'Progress', cell: (campaign) => progressText(campaign) },
  { header: 'Opens', cell: ({ stats }) => some(stats.opens.unique), align: 'right', width: '5rem', isMinor: true },
  { header: 'Clicks', cell: ({ stats }) => some(stats.clicks.unique), align: 'right', width: '5rem', isMinor: true },
  { header: 'Started', cell: (campaign) => <Start campaign={campaign} />, width: '13rem' },
];

const Name = ({ campaign: { name, subject } }: { campaign: Campaign }) => (
  <>
    <Text component="span" display="block" size="sm" fw={500}>
      {name}
    </Text>
    {subject !== null && (
      <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
        {subject}
      </Text>
    )}
  </>
);

function progressText(campaign: Campaign): string {
  if (isEditable(campaign)) return '–';
  const { recipients, accepted } = campaign.progress;
  return `${(accepted + skippedOf(campaign)).toLocaleString()} of ${recipients.toLocaleString()}`;
}

const Start = ({ campaign: { status, scheduledAt, startedAt } }: { campaign: Campaign }) =>
  status === 'scheduled' ? (
    <>
      Due <Time value={scheduledAt} />
    </>
  ) : (
    <Time value={startedAt} />
  );
