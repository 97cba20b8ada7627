import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { SmsAccountGateway } from './application/ports/sms-account-gateway.js';
import { RefreshSmsStanding } from './application/refresh-sms-standing.service.js';
import { SmsSandbox } from './application/sms-sandbox.service.js';
import { SnsSmsAccount } from './infrastructure/sns-sms-account.js';

@Module({
  imports: [AccountsModule],
  providers: [RefreshSmsStanding, SmsSandbox, { provide: SmsAccountGateway, useClass: SnsSmsAccount }],
  exports: [SmsSandbox],
})
export class SmsModule {}
