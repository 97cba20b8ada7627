import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ChangeSettings } from './application/change-settings.service.js';
import { DeliveryPauses } from './application/ports/delivery-pauses.js';
import { EventSources } from './application/ports/event-sources.js';
import { ProviderDirectory } from './application/ports/provider-directory.js';
import { SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
import { ShowSettings } from './application/show-settings.service.js';
import { SettingsController } from './http/settings.controller.js';
import { SettingsProviderDirectory } from './infrastructure/settings-provider-directory.js';
import { SqlDeliveryPauses } from './infrastructure/sql-delivery-pauses.js';
import { SqlEventSources } from './infrastructure/sql-event-sources.js';
import { SqlSmsAccountStatuses } from './infrastructure/sql-sms-account-statuses.js';

@Module({
  imports: [AccountsModule],
  controllers: [SettingsController],
  providers: [
    ChangeSettings,
    ShowSettings,
    { provide: ProviderDirectory, useClass: SettingsProviderDirectory },
    { provide: EventSources, useClass: SqlEventSources },
    { provide: DeliveryPauses, useClass: SqlDeliveryPauses },
    { provide: SmsAccountStatuses, useClass: SqlSmsAccountStatuses },
  ],
  exports: [DeliveryPauses, EventSources, ProviderDirectory, SmsAccountStatuses],
})
export class ProviderSettingsModule {}
