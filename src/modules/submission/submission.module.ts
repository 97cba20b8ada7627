import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SendingModule } from '../sending/sending.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { AuthenticateClient } from './application/authenticate-client.service.js';
import { SubmitMail } from './application/submit-mail.service.js';
import { MailReceiver } from './smtp/mail-receiver.js';
import { SubmissionListener } from './smtp/submission-listener.js';
import { SubmissionReports } from './smtp/submission-reports.js';
import { SubmissionSessions } from './smtp/submission-sessions.js';

/** SMTP submission: the same acceptance as over HTTP, for programs that speak SMTP only. */
@Module({
  imports: [AccountsModule, KeysModule, SendingModule, SuppressionModule],
  providers: [AuthenticateClient, SubmitMail, MailReceiver, SubmissionReports, SubmissionSessions, SubmissionListener],
})
export class SubmissionModule {}
