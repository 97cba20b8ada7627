import { Module } from '@nestjs/common';

import { ClientAddress } from '../../platform/http/access/client-address.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TrackedLinks } from './application/ports/tracked-links.js';
import { VisitLog } from './application/ports/visit-log.js';
import { ReceiveVisits } from './application/receive-visits.service.js';
import { RecordVisits } from './application/record-visits.service.js';
import { TrackingController } from './http/tracking.controller.js';
import { HmacTrackedLinks } from './infrastructure/hmac-tracked-links.js';
import { MetricsVisitLog } from './infrastructure/metrics-visit-log.js';

@Module({
  imports: [MessagesModule],
  controllers: [TrackingController],
  providers: [
    ReceiveVisits,
    RecordVisits,
    ClientAddress,
    { provide: TrackedLinks, useClass: HmacTrackedLinks },
    { provide: VisitLog, useClass: MetricsVisitLog },
  ],
  exports: [TrackedLinks],
})
export class TrackingModule {}
