import { Module } from '@nestjs/common';

import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ForceOptOutSync } from './application/force-opt-out-sync.service.js';
import { KeepOptOuts } from './application/keep-opt-outs.service.js';
import { OptOutProgress } from './application/ports/opt-out-progress.js';
import { SmsAccountGateway } from './application/ports/sms-account-gateway.js';
import { SyncPace } from './application/ports/sync-pace.js';
import { RefreshSmsAccountStatus } from './application/refresh-sms-account-status.service.js';
import { SmsSandbox } from './application/sms-sandbox.service.js';
import { SyncOptOuts } from './application/sync-opt-outs.service.js';
import { SyncSmsAccounts } from './application/sync-sms-accounts.service.js';
import { OptOutsController } from './http/opt-outs.controller.js';
import { SqlSyncPace } from './infrastructure/sql-sync-pace.js';
import { SnsSmsAccount } from './infrastructure/sns-sms-account.js';
import { SqlOptOutProgress } from './infrastructure/sql-opt-out-progress.js';
import { SmsSchedules } from './jobs/sms-schedules.js';

@Module({
  imports: [ProviderSettingsModule, SuppressionModule],
  controllers: [OptOutsController],
  providers: [
    ForceOptOutSync,
    KeepOptOuts,
    RefreshSmsAccountStatus,
    SmsSandbox,
    SyncOptOuts,
    SyncSmsAccounts,
    SmsSchedules,
    { provide: OptOutProgress, useClass: SqlOptOutProgress },
    { provide: SmsAccountGateway, useClass: SnsSmsAccount },
    { provide: SyncPace, useClass: SqlSyncPace },
  ],
  exports: [SmsSandbox],
})
export class SmsModule {}
