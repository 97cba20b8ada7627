import { Global, Module } from '@nestjs/common';

import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ConsentModule } from '../consent/consent.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SendersModule } from '../senders/senders.module.js';
import { SendingModule } from '../sending/sending.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TopicUses } from '../topics/index.js';
import { ChangeCampaign } from './application/change-campaign.service.js';
import { CheckCampaign } from './application/check-campaign.service.js';
import { CheckContent } from './application/check-content.service.js';
import { ControlCampaigns } from './application/control-campaigns.service.js';
import { CountAudience } from './application/count-audience.service.js';
import { FindUnwilling } from './application/find-unwilling.service.js';
import { FindMissingValues } from './application/find-missing-values.service.js';
import { FeedCampaign } from './application/feed-campaign.service.js';
import { ManageCampaigns } from './application/manage-campaigns.service.js';
import { OfferRecipients } from './application/offer-recipients.service.js';
import { CampaignFeed } from './application/ports/campaign-feed.js';
import { CampaignRecipients } from './application/ports/campaign-recipients.js';
import { CampaignRepository } from './application/ports/campaign.repository.js';
import { CampaignRuns } from './application/ports/campaign-runs.js';
import { ReadCampaigns } from './application/read-campaigns.service.js';
import { ReadRecipients } from './application/read-recipients.service.js';
import { RetryFailed } from './application/retry-failed.service.js';
import { RunCampaign } from './application/run-campaign.service.js';
import { ShowCampaignActivity } from './application/show-campaign-activity.service.js';
import { SweepCampaigns } from './application/sweep-campaigns.service.js';
import { TestCampaign } from './application/test-campaign.service.js';
import { WriteAudience } from './application/write-audience.service.js';
import { CampaignActionsController } from './http/campaign-actions.controller.js';
import { CampaignsController } from './http/campaigns.controller.js';
import { CampaignErasure } from './infrastructure/campaign-erasure.js';
import { SqlCampaignFeed } from './infrastructure/sql-campaign-feed.js';
import { SqlCampaignRecipients } from './infrastructure/sql-campaign-recipients.js';
import { SqlCampaignRepository } from './infrastructure/sql-campaign.repository.js';
import { SqlCampaignRuns } from './infrastructure/sql-campaign-runs.js';
import { SqlTopicUses } from './infrastructure/sql-topic-uses.js';
import { CampaignSchedules } from './jobs/campaign-schedules.js';
import { CampaignsProcessor } from './jobs/campaigns.processor.js';

/** Campaigns to lists and tags of contacts. Global, because the topics module asks through a port which use a topic. */
@Global()
@Module({
  imports: [
    AccountsModule,
    ConsentModule,
    ContactsModule,
    MessagesModule,
    SendersModule,
    SendingModule,
    SuppressionModule,
    TemplatesModule,
  ],
  controllers: [CampaignsController, CampaignActionsController],
  providers: [
    CampaignSchedules,
    CampaignsProcessor,
    ChangeCampaign,
    CheckCampaign,
    CheckContent,
    ControlCampaigns,
    CountAudience,
    FeedCampaign,
    FindMissingValues,
    FindUnwilling,
    ManageCampaigns,
    OfferRecipients,
    ReadCampaigns,
    ReadRecipients,
    RetryFailed,
    RunCampaign,
    ShowCampaignActivity,
    SweepCampaigns,
    TestCampaign,
    WriteAudience,
    { provide: CampaignFeed, useClass: SqlCampaignFeed },
    { provide: CampaignRecipients, useClass: SqlCampaignRecipients },
    { provide: CampaignRepository, useClass: SqlCampaignRepository },
    { provide: CampaignRuns, useClass: SqlCampaignRuns },
    { provide: RECIPIENT_ERASURE.campaigns, useClass: CampaignErasure },
    { provide: TopicUses, useClass: SqlTopicUses },
  ],
  exports: [RECIPIENT_ERASURE.campaigns, TopicUses],
})
export class CampaignsModule {}
