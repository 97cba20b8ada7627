import { Button } from '@mantine/core';
import { Megaphone, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import type { Column } from '../../components/data-table';
import { FilterBar } from '../../components/filter-bar';
import { MultiSelectFilter } from '../../components/multi-select-filter';
import { PageHeader } from '../../components/page-header';
import { PageList } from '../../components/page-list';
import { Panel } from '../../components/panel';
import { SearchField } from '../../components/search-field';
import { Empty } from '../../components/states';
import { TimeAgo } from '../../components/time-ago';
import { useColumnChoice } from '../../components/use-column-choice';
import { type Filters, useFilters } from '../../components/use-filters';
import { locale } from '../../texts/language';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { TopicFilter } from '../topics/topic-filter';
import { TopicName } from '../topics/topic-name';
import { useTopics } from '../topics/use-topics';
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
  const hasTopics = Boolean(useTopics().data?.length);
  const { columns, button } = useColumnChoice('campaigns', hasTopics ? WITH_TOPICS : COLUMNS);
  const query = {
    search: filters.optional('search'),
    status: filters.optional('status')?.split(',') as CampaignStatusValue[] | undefined,
    topicId: filters.optional('topicId'),
  };
  return (
    <>
      <PageHeader title={t('common.section.campaigns')} description={t('campaigns.description')}>
        {isAdmin && (
          <Button component={Link} to="/campaigns/new" leftSection={<Plus size={16} />}>
            {t('campaigns.new')}
          </Button>
        )}
      </PageHeader>
      <Panel isFlush>
        <CampaignFilters filters={filters} columns={button} />
        <PageList
          caption={t('common.section.campaigns')}
          queryKey={['campaigns', 'list', query]}
          load={(page, signal) => unwrap(api.GET('/api/campaigns', { params: { query: { ...query, page } }, signal }))}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/campaigns/${id}`}
          refreshEveryMs={REFRESH_EVERY_MS}
          empty={
            filters.isFiltered ? (
              <Empty icon={Megaphone} title={t('campaigns.empty.filtered.title')}>
                {t('campaigns.empty.filtered.text')}
              </Empty>
            ) : (
              <Empty icon={Megaphone} title={t('campaigns.empty.title')}>
                {t('campaigns.empty.text')}
              </Empty>
            )
          }
        />
      </Panel>
    </>
  );
}

const CampaignFilters = ({ filters, columns }: { filters: Filters; columns: ReactNode }) => (
  <FilterBar filters={filters} search={<SearchField filters={filters} label={t('common.field.name')} />} end={columns}>
    <MultiSelectFilter
      filters={filters}
      name="status"
      label={t('common.column.status')}
      data={CAMPAIGN_STATUSES.map((value) => ({ value, label: t(`campaigns.status.${value}`) }))}
      className="status-filter"
    />
    <TopicFilter filters={filters} />
  </FilterBar>
);

/** Shows `–` for zero, also in an account whose provider reports no results: there the number is not known. */
const countOf = (count: number): string => (count === 0 ? '–' : count.toLocaleString(locale));

/** The topic replaces the subject, which is often like the name. */
const columnsFor = (hasTopics: boolean): readonly Column<Campaign>[] => [
  { header: 'common.column.name', cell: ({ name }) => name, width: '30cqi' },
  { header: 'common.column.status', cell: ({ status }) => <CampaignStatus value={status} />, width: '8.5rem' },
  { header: 'common.column.subject', cell: ({ subject }) => subject ?? '–', isMinor: true, isExtra: hasTopics },
  {
    header: 'common.field.topic',
    cell: ({ topicId }) => (topicId === null ? '–' : <TopicName id={topicId} />),
    isMinor: true,
    isExtra: !hasTopics,
  },
  { header: 'campaigns.column.progress', cell: (campaign) => progressText(campaign), align: 'right', width: '10rem' },
  {
    header: 'common.column.opens',
    cell: ({ stats }) => countOf(stats.opens.unique),
    align: 'right',
    width: '5rem',
    isMinor: true,
  },
  {
    header: 'common.column.clicks',
    cell: ({ stats }) => countOf(stats.clicks.unique),
    align: 'right',
    width: '5rem',
    isMinor: true,
  },
  {
    header: 'campaigns.column.started',
    cell: (campaign) => <Start campaign={campaign} />,
    align: 'right',
    width: '9rem',
  },
];

const COLUMNS = columnsFor(false);
const WITH_TOPICS = columnsFor(true);

function progressText(campaign: Campaign): string {
  if (isEditable(campaign)) return '–';
  const { recipients: count, accepted } = campaign.progress;
  return t('campaigns.progress.ofRecipients', { handled: accepted + skippedOf(campaign), count });
}

const Start = ({ campaign: { status, scheduledAt, startedAt } }: { campaign: Campaign }) =>
  status === 'scheduled' ? (
    <RichText id="campaigns.due" values={{ time: <TimeAgo value={scheduledAt} /> }} />
  ) : (
    <TimeAgo value={startedAt} />
  );
