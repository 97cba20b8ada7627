import { Global, Module } from '@nestjs/common';

import { ConsentModule } from '../consent/consent.module.js';
import { ConsentContacts } from '../consent/index.js';
import { RecipientContacts } from '../messages/index.js';
import { SuppressedContacts } from '../suppression/index.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { ApplyStatuses } from './application/apply-statuses.service.js';
import { ContactsOfConsents } from './application/contacts-of-consents.service.js';
import { ContactFilters } from './application/contact-filters.service.js';
import { ExportContacts } from './application/export-contacts.service.js';
import { ImportContacts } from './application/import-contacts.service.js';
import { ImportedConsents } from './application/imported-consents.service.js';
import { ListDirectory } from './application/list-directory.service.js';
import { ManageContacts } from './application/manage-contacts.service.js';
import { ManageLists } from './application/manage-lists.service.js';
import { AttributeKeys } from './application/ports/attribute-keys.js';
import { ContactAudience } from './application/ports/contact-audience.js';
import { ContactComparison } from './application/ports/contact-comparison.js';
import { ContactListRepository } from './application/ports/contact-list.repository.js';
import { ContactRepository } from './application/ports/contact.repository.js';
import { ContactLocks } from './application/ports/contact-locks.js';
import { WriteContacts } from './application/write-contacts.service.js';
import { ContactExportController } from './http/contact-export.controller.js';
import { ContactsController } from './http/contacts.controller.js';
import { ListsController } from './http/lists.controller.js';
import { ContactTotals } from './infrastructure/contact-totals.js';
import { SqlAttributeKeys } from './infrastructure/sql-attribute-keys.js';
import { SqlContactAudience } from './infrastructure/sql-contact-audience.js';
import { SqlContactComparison } from './infrastructure/sql-contact-comparison.js';
import { SqlContactLocks } from './infrastructure/sql-contact-locks.js';
import { SqlContactRepository } from './infrastructure/sql-contact.repository.js';
import { SqlSuppressedContacts } from './infrastructure/sql-suppressed-contacts.js';
import { TypeOrmContactListRepository } from './infrastructure/typeorm-contact-list.repository.js';

/** Global, because consent, suppression and messages read contacts through ports that this module implements. */
@Global()
@Module({
  imports: [ConsentModule, SuppressionModule],
  // The export comes first: otherwise `export.csv` would be taken for the id of a contact.
  controllers: [ContactExportController, ContactsController, ListsController],
  providers: [
    ApplyStatuses,
    ContactTotals,
    ContactFilters,
    ExportContacts,
    ImportContacts,
    ImportedConsents,
    ListDirectory,
    ManageContacts,
    ManageLists,
    WriteContacts,
    { provide: AttributeKeys, useClass: SqlAttributeKeys },
    { provide: ConsentContacts, useClass: ContactsOfConsents },
    { provide: ContactAudience, useClass: SqlContactAudience },
    { provide: ContactComparison, useClass: SqlContactComparison },
    { provide: ContactListRepository, useClass: TypeOrmContactListRepository },
    { provide: ContactLocks, useClass: SqlContactLocks },
    { provide: ContactRepository, useClass: SqlContactRepository },
    { provide: RecipientContacts, useExisting: ContactRepository },
    { provide: SuppressedContacts, useClass: SqlSuppressedContacts },
  ],
  exports: [
    ConsentContacts,
    ContactAudience,
    ContactRepository,
    ImportedConsents,
    ListDirectory,
    RecipientContacts,
    SuppressedContacts,
    WriteContacts,
  ],
})
export class ContactsModule {}
