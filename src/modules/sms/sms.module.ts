import { Module } from '@nestjs/common';

import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ForceOptOutSync } from './application/force-opt-out-sync.service.js';
import { ApplyOptOuts } from './application/apply-opt-outs.service.js';
import { OptOutSyncRepository } from './application/ports/opt-out-sync.repository.js';
import { OptedOutNumbers } from './application/ports/opted-out-numbers.js';
import { SyncRate } from './application/ports/sync-rate.js';
import { RefreshSmsAccountStatus } from './application/refresh-sms-account-status.service.js';
import { SmsSandbox } from './application/sms-sandbox.service.js';
import { SyncOptOuts } from './application/sync-opt-outs.service.js';
import { SyncSmsAccounts } from './application/sync-sms-accounts.service.js';
import { OptOutsController } from './http/opt-outs.controller.js';
import { SharedSyncRate } from './infrastructure/shared-sync-rate.js';
import { SqlOptOutSyncRepository } from './infrastructure/sql-opt-out-sync.repository.js';
import { SqlOptedOutNumbers } from './infrastructure/sql-opted-out-numbers.js';
import { SmsSchedules } from './jobs/sms-schedules.js';

@Module({
  imports: [ProviderSettingsModule, SuppressionModule],
  controllers: [OptOutsController],
  providers: [
    ForceOptOutSync,
    ApplyOptOuts,
    RefreshSmsAccountStatus,
    SmsSandbox,
    SyncOptOuts,
    SyncSmsAccounts,
    SmsSchedules,
    { provide: OptOutSyncRepository, useClass: SqlOptOutSyncRepository },
    { provide: OptedOutNumbers, useClass: SqlOptedOutNumbers },
    { provide: SyncRate, useClass: SharedSyncRate },
  ],
  exports: [SmsSandbox],
})
export class SmsModule {}
