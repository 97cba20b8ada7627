import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ErasedAddresses } from './application/erased-addresses.service.js';
import { ImportSuppressions } from './application/import-suppressions.service.js';
import { LiftSuppressions } from './application/lift-suppressions.service.js';
import { ManageSuppressions } from './application/manage-suppressions.service.js';
import { SuppressAddresses } from './application/suppress-addresses.service.js';
import { ErasedSuppressions, SuppressionRepository } from './application/ports/suppression.repository.js';
import { UnsubscribeLinks } from './application/ports/unsubscribe-links.js';
import { SuppressionList } from './application/suppression-list.service.js';
import { Unsubscribe } from './application/unsubscribe.service.js';
import { WriteSuppressions } from './application/write-suppressions.service.js';
import { SuppressionFilesController } from './http/suppression-files.controller.js';
import { SuppressionsController } from './http/suppressions.controller.js';
import { UnsubscribeController } from './http/unsubscribe.controller.js';
import { AddressHashes } from './infrastructure/address-hashes.js';
import { EncryptedUnsubscribeLinks } from './infrastructure/encrypted-unsubscribe-links.js';
import { SqlErasedSuppressions } from './infrastructure/sql-erased-suppressions.js';
import { SqlSuppressionRepository } from './infrastructure/sql-suppression.repository.js';

@Module({
  imports: [AccountsModule, MessagesModule],
  controllers: [SuppressionFilesController, SuppressionsController, UnsubscribeController],
  providers: [
    AddressHashes,
    ErasedAddresses,
    ImportSuppressions,
    LiftSuppressions,
    ManageSuppressions,
    SuppressAddresses,
    SuppressionList,
    Unsubscribe,
    WriteSuppressions,
    { provide: ErasedSuppressions, useClass: SqlErasedSuppressions },
    { provide: SuppressionRepository, useClass: SqlSuppressionRepository },
    { provide: UnsubscribeLinks, useClass: EncryptedUnsubscribeLinks },
  ],
  exports: [ErasedAddresses, LiftSuppressions, SuppressAddresses, SuppressionList, Unsubscribe, UnsubscribeLinks],
})
export class SuppressionModule {}
