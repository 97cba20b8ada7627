import { Global, Module } from '@nestjs/common';

import { SimulatedReports } from '../../providers/index.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ApplySimulatedReports } from './application/apply-simulated-reports.service.js';
import { SimulatedRecipient } from './application/simulated-recipient.service.js';
import { SqlSimulatedReports } from './infrastructure/sql-simulated-reports.js';
import { SimulatedReportsPoll } from './jobs/simulated-reports.poll.js';

/**
 * Reports on test messages what the address of the recipient specifies. Global, because the provider of these messages
 * stores its reports through a port that this module implements.
 */
@Global()
@Module({
  imports: [MessagesModule, ProviderEventsModule, SuppressionModule],
  providers: [
    ApplySimulatedReports,
    SimulatedRecipient,
    SimulatedReportsPoll,
    { provide: SimulatedReports, useClass: SqlSimulatedReports },
  ],
  exports: [SimulatedReports],
})
export class SimulatorModule {}
