import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ConsentModule } from '../consent/consent.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ErasedAddresses } from './application/erased-addresses.service.js';
import { ImportSuppressions } from './application/import-suppressions.service.js';
import { LeaveTopics } from './application/leave-topics.service.js';
import { LiftSuppressions } from './application/lift-suppressions.service.js';
import { ChangePreferences } from './application/change-preferences.service.js';
import { ManageSuppressions } from './application/manage-suppressions.service.js';
import { OpenUnsubscribeLink } from './application/open-unsubscribe-link.service.js';
import { ReadPreferences } from './application/read-preferences.service.js';
import { RecordPreferences } from './application/record-preferences.service.js';
import { ReportSuppressions } from './application/report-suppressions.service.js';
import { SmsOptOuts } from './application/sms-opt-outs.service.js';
import { SuppressAddresses } from './application/suppress-addresses.service.js';
import { ErasedSuppressions, SuppressionRepository } from './application/ports/suppression.repository.js';
import { UnsubscribeLinks } from './application/ports/unsubscribe-links.js';
import { SuppressionList } from './application/suppression-list.service.js';
import { Unsubscribe } from './application/unsubscribe.service.js';
import { SuppressionFilesController } from './http/suppression-files.controller.js';
import { SuppressionsController } from './http/suppressions.controller.js';
import { UnsubscribeController } from './http/unsubscribe.controller.js';
import { AddressHashes } from '../../platform/crypto/address-hashes.js';
import { ClientAddress } from '../../platform/http/access/client-address.js';
import { EncryptedUnsubscribeLinks } from './infrastructure/encrypted-unsubscribe-links.js';
import { SqlErasedSuppressions } from './infrastructure/sql-erased-suppressions.js';
import { SqlSuppressionRepository } from './infrastructure/sql-suppression.repository.js';

@Module({
  imports: [AccountsModule, ConsentModule, MessagesModule],
  controllers: [SuppressionFilesController, SuppressionsController, UnsubscribeController],
  providers: [
    AddressHashes,
    ChangePreferences,
    ClientAddress,
    ErasedAddresses,
    ImportSuppressions,
    LeaveTopics,
    LiftSuppressions,
    ManageSuppressions,
    OpenUnsubscribeLink,
    ReadPreferences,
    RecordPreferences,
    ReportSuppressions,
    SmsOptOuts,
    SuppressAddresses,
    SuppressionList,
    Unsubscribe,
    { provide: ErasedSuppressions, useClass: SqlErasedSuppressions },
    { provide: SuppressionRepository, useClass: SqlSuppressionRepository },
    { provide: UnsubscribeLinks, useClass: EncryptedUnsubscribeLinks },
  ],
  exports: [
    ErasedAddresses,
    LiftSuppressions,
    SmsOptOuts,
    SuppressAddresses,
    SuppressionList,
    Unsubscribe,
    UnsubscribeLinks,
  ],
})
export class SuppressionModule {}
