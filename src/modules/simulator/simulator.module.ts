import { Module } from '@nestjs/common';

import { MessagesModule } from '../messages/messages.module.js';
import { ProviderEventsModule } from '../provider-events/provider-events.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ApplySimulatedReports } from './application/apply-simulated-reports.service.js';
import { SimulatedReports } from './application/ports/simulated-reports.js';
import { SimulatedRecipient } from './application/simulated-recipient.service.js';
import { Simulator } from './application/simulator.service.js';
import { SqlSimulatedReports } from './infrastructure/sql-simulated-reports.js';
import { SimulatedReportsPoll } from './jobs/simulated-reports.poll.js';

/** The provider of test messages: it connects to nothing, and reports outcomes that the recipient's address names. */
@Module({
  imports: [MessagesModule, ProviderEventsModule, SuppressionModule],
  providers: [
    ApplySimulatedReports,
    SimulatedRecipient,
    Simulator,
    SimulatedReportsPoll,
    { provide: SimulatedReports, useClass: SqlSimulatedReports },
  ],
  exports: [Simulator],
})
export class SimulatorModule {}
