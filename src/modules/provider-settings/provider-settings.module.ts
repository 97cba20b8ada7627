import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ChangeSettings } from './application/change-settings.service.js';
import { DeliveryPauses } from './application/ports/delivery-pauses.js';
import { ProviderDirectory } from './application/provider-directory.service.js';
import { ProviderSettings } from './application/ports/provider-settings.js';
import { SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
import { ShowSettings } from './application/show-settings.service.js';
import { SettingsController } from './http/settings.controller.js';
import { SqlDeliveryPauses } from './infrastructure/sql-delivery-pauses.js';
import { SqlProviderSettings } from './infrastructure/sql-provider-settings.js';
import { SqlSmsAccountStatuses } from './infrastructure/sql-sms-account-statuses.js';

@Module({
  imports: [AccountsModule],
  controllers: [SettingsController],
  providers: [
    ChangeSettings,
    ShowSettings,
    ProviderDirectory,
    { provide: ProviderSettings, useClass: SqlProviderSettings },
    { provide: DeliveryPauses, useClass: SqlDeliveryPauses },
    { provide: SmsAccountStatuses, useClass: SqlSmsAccountStatuses },
  ],
  exports: [DeliveryPauses, ProviderDirectory, ProviderSettings, SmsAccountStatuses],
})
export class ProviderSettingsModule {}
