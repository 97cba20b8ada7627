import { Module } from '@nestjs/common';

import { ClientAddress } from '../../platform/http/access/client-address.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ConsentModule } from '../consent/consent.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SendersModule } from '../senders/senders.module.js';
import { SendingModule } from '../sending/sending.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ConfirmSignups } from './application/confirm-signups.service.js';
import { FormDirectory } from './application/form-directory.service.js';
import { FormTargets } from './application/form-targets.service.js';
import { FormTemplates } from './application/form-templates.service.js';
import { ManageForms } from './application/manage-forms.service.js';
import { OpenConfirmLink } from './application/open-confirm-link.service.js';
import { Challenges } from './application/ports/challenges.js';
import { ConfirmLinks } from './application/ports/confirm-links.js';
import { FormRepository } from './application/ports/form.repository.js';
import { SignupRepository } from './application/ports/signup.repository.js';
import { ProcessSignups } from './application/process-signups.service.js';
import { PurgeSignups } from './application/purge-signups.service.js';
import { SendFormMails } from './application/send-form-mails.service.js';
import { SignupLimits } from './application/signup-limits.service.js';
import { SubmitForm } from './application/submit-form.service.js';
import { SubscribeContacts } from './application/subscribe-contacts.service.js';
import { ConfirmController } from './http/confirm.controller.js';
import { FormAssetsController } from './http/form-assets.controller.js';
import { FormsController } from './http/forms.controller.js';
import { PublicFormsController } from './http/public-forms.controller.js';
import { AltchaChallenges } from './infrastructure/altcha-challenges.js';
import { EncryptedConfirmLinks } from './infrastructure/encrypted-confirm-links.js';
import { SignupErasure } from './infrastructure/signup-erasure.js';
import { SqlSignupRepository } from './infrastructure/sql-signup.repository.js';
import { TypeOrmFormRepository } from './infrastructure/typeorm-form.repository.js';
import { FormSchedules } from './jobs/form-schedules.js';
import { SignupsPoll } from './jobs/signups.poll.js';

@Module({
  imports: [
    AccountsModule,
    ConsentModule,
    ContactsModule,
    MessagesModule,
    SendersModule,
    SendingModule,
    SuppressionModule,
    TemplatesModule,
  ],
  // The assets come first: otherwise `assets` would be taken for the id of a form.
  controllers: [FormAssetsController, FormsController, PublicFormsController, ConfirmController],
  providers: [
    ClientAddress,
    ConfirmSignups,
    FormDirectory,
    FormSchedules,
    FormTargets,
    FormTemplates,
    ManageForms,
    OpenConfirmLink,
    ProcessSignups,
    PurgeSignups,
    SendFormMails,
    SignupLimits,
    SignupsPoll,
    SubmitForm,
    SubscribeContacts,
    { provide: Challenges, useClass: AltchaChallenges },
    { provide: ConfirmLinks, useClass: EncryptedConfirmLinks },
    { provide: FormRepository, useClass: TypeOrmFormRepository },
    { provide: RECIPIENT_ERASURE.forms, useClass: SignupErasure },
    { provide: SignupRepository, useClass: SqlSignupRepository },
  ],
  exports: [RECIPIENT_ERASURE.forms],
})
export class FormsModule {}
