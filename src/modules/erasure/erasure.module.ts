import { Module } from '@nestjs/common';

import { RECIPIENT_ERASURE, type RecipientErasure } from '../../shared/ports/recipient-erasure.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { ConsentModule } from '../consent/consent.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EraseContacts } from './application/erase-contacts.service.js';
import { EraseTraces, RECIPIENT_ERASURES } from './application/erase-traces.service.js';
import { ErasureRepository } from './application/ports/erasure.repository.js';
import { ContactErasureController } from './http/contact-erasure.controller.js';
import { SqlErasureRepository } from './infrastructure/sql-erasure.repository.js';
import { ErasureSchedules } from './jobs/erasure-schedules.js';

@Module({
  imports: [
    CampaignsModule,
    ConsentModule,
    ContactsModule,
    FormsModule,
    ImportsModule,
    MessagesModule,
    ProviderEventsModule,
    SuppressionModule,
    WebhooksModule,
  ],
  controllers: [ContactErasureController],
  providers: [
    EraseContacts,
    EraseTraces,
    ErasureSchedules,
    { provide: ErasureRepository, useClass: SqlErasureRepository },
    {
      provide: RECIPIENT_ERASURES,
      useFactory: (...erasures: RecipientErasure[]): RecipientErasure[] => erasures,
      inject: Object.values(RECIPIENT_ERASURE),
    },
  ],
})
export class ErasureModule {}
