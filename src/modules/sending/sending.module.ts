import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AcceptEmail } from './application/accept-email.service.js';
import { DeliverEmail } from './application/deliver-email.service.js';
import { EmailProvider } from './application/ports/email-provider.js';
import { RenderContent } from './application/render-content.service.js';
import { SendController } from './http/send.controller.js';
import { SmtpEmailProvider } from './infrastructure/smtp-email-provider.js';
import { DeliverEmailHandler } from './jobs/deliver-email.handler.js';

@Module({
  imports: [AccountsModule, DomainsModule, MessagesModule, SuppressionModule, TemplatesModule],
  controllers: [SendController],
  providers: [
    AcceptEmail,
    RenderContent,
    DeliverEmail,
    DeliverEmailHandler,
    { provide: EmailProvider, useClass: SmtpEmailProvider },
  ],
})
export class SendingModule {}
