import { Module } from '@nestjs/common';

import { AddressHashes } from '../../platform/crypto/address-hashes.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { ConsentPartitions } from './application/ports/consent-partitions.js';
import { ConsentRepository } from './application/ports/consent.repository.js';
import { ReadConsents } from './application/read-consents.service.js';
import { RecordConsents } from './application/record-consents.service.js';
import { RequiredConsent } from './application/required-consent.service.js';
import { RestoreConsents } from './application/restore-consents.service.js';
import { TrackingConsents } from './application/tracking-consents.service.js';
import { WriteConsent } from './application/write-consent.service.js';
import { ConsentsController } from './http/consents.controller.js';
import { ConsentErasure } from './infrastructure/consent-erasure.js';
import { SqlConsentPartitions } from './infrastructure/sql-consent-partitions.js';
import { SqlConsentRepository } from './infrastructure/sql-consent.repository.js';
import { ConsentSchedules } from './jobs/consent-schedules.js';

@Module({
  controllers: [ConsentsController],
  providers: [
    AddressHashes,
    ConsentSchedules,
    ReadConsents,
    RecordConsents,
    RequiredConsent,
    RestoreConsents,
    TrackingConsents,
    WriteConsent,
    { provide: ConsentPartitions, useClass: SqlConsentPartitions },
    { provide: ConsentRepository, useClass: SqlConsentRepository },
    { provide: RECIPIENT_ERASURE.consents, useClass: ConsentErasure },
  ],
  exports: [
    ReadConsents,
    RecordConsents,
    RequiredConsent,
    RestoreConsents,
    TrackingConsents,
    RECIPIENT_ERASURE.consents,
  ],
})
export class ConsentModule {}
