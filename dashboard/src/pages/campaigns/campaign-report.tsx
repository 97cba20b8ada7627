import { Grid, Stack } from '@mantine/core';

import { useIsAdmin } from '../../app/use-is-admin';
import { PageHeader } from '../../components/page-header';
import { ResultsPanel } from '../../components/results-panel';
import { t } from '../../texts/text';
import { ActivityPanel } from './activity-panel';
import { CampaignActions } from './campaign-actions';
import { CampaignAlert } from './campaign-alert';
import { CampaignDetails } from './campaign-details';
import { type Campaign, CampaignStatus } from './campaign-status';
import { CampaignTotals } from './campaign-totals';
import { ProgressPanel } from './progress-panel';
import { RecipientsPanel } from './recipients-panel';

interface Props {
  campaign: Campaign;
  /** Why the last refresh failed. */
  error: Error | null;
}

/** Progress and results of a campaign that has started. */
export default function CampaignReport({ campaign, error }: Props) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHeader
        title={campaign.name}
        description={<CampaignStatus value={campaign.status} />}
        back={{ to: '/campaigns', label: t('common.section.campaigns') }}
      >
        {isAdmin && <CampaignActions campaign={campaign} />}
      </PageHeader>
      <CampaignAlert campaign={campaign} />
      <Stack gap="md">
        <ProgressPanel campaign={campaign} error={error} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <ResultsPanel stats={campaign.stats} />
              <CampaignTotals stats={campaign.stats} />
              <ActivityPanel campaign={campaign} />
              <RecipientsPanel campaign={campaign} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <CampaignDetails campaign={campaign} />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}
