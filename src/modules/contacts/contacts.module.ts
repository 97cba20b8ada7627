import { Global, Module } from '@nestjs/common';

import { RecipientContacts } from '../messages/index.js';
import { SuppressedContacts } from '../suppression/index.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ImportContacts } from './application/import-contacts.service.js';
import { ListDirectory } from './application/list-directory.service.js';
import { ManageContacts } from './application/manage-contacts.service.js';
import { ManageLists } from './application/manage-lists.service.js';
import { ContactListRepository } from './application/ports/contact-list.repository.js';
import { ContactRepository } from './application/ports/contact.repository.js';
import { ContactTurns } from './application/ports/contact-turns.js';
import { WriteContacts } from './application/write-contacts.service.js';
import { ContactsController } from './http/contacts.controller.js';
import { ListsController } from './http/lists.controller.js';
import { ContactTotals } from './infrastructure/contact-totals.js';
import { SqlContactRepository } from './infrastructure/sql-contact.repository.js';
import { SqlContactTurns } from './infrastructure/sql-contact-turns.js';
import { SqlSuppressedContacts } from './infrastructure/sql-suppressed-contacts.js';
import { StoredRecipientContacts } from './infrastructure/stored-recipient-contacts.js';
import { TypeOrmContactListRepository } from './infrastructure/typeorm-contact-list.repository.js';

/** Global for the suppression list and the messages, which know contacts through ports of theirs. */
@Global()
@Module({
  imports: [SuppressionModule],
  controllers: [ContactsController, ListsController],
  providers: [
    ContactTotals,
    ImportContacts,
    ListDirectory,
    ManageContacts,
    ManageLists,
    WriteContacts,
    { provide: ContactListRepository, useClass: TypeOrmContactListRepository },
    { provide: ContactRepository, useClass: SqlContactRepository },
    { provide: ContactTurns, useClass: SqlContactTurns },
    { provide: RecipientContacts, useClass: StoredRecipientContacts },
    { provide: SuppressedContacts, useClass: SqlSuppressedContacts },
  ],
  exports: [RecipientContacts, SuppressedContacts],
})
export class ContactsModule {}
