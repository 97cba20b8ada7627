import { Global, Module } from '@nestjs/common';

import { RecipientContacts } from '../messages/index.js';
import { SuppressedContacts } from '../suppression/index.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { EraseContacts } from './application/erase-contacts.service.js';
import { ExportContacts } from './application/export-contacts.service.js';
import { ImportContacts } from './application/import-contacts.service.js';
import { ImportRows } from './application/import-rows.service.js';
import { ListDirectory } from './application/list-directory.service.js';
import { ManageContacts } from './application/manage-contacts.service.js';
import { ManageLists } from './application/manage-lists.service.js';
import { ContactErasures } from './application/ports/contact-erasures.js';
import { ContactImports } from './application/ports/contact-imports.js';
import { ContactListRepository } from './application/ports/contact-list.repository.js';
import { ContactRepository } from './application/ports/contact.repository.js';
import { ContactTurns } from './application/ports/contact-turns.js';
import { ImportRetention } from './application/ports/import-retention.js';
import { ImportRuns } from './application/ports/import-runs.js';
import { RunImports } from './application/run-imports.service.js';
import { StartImport } from './application/start-import.service.js';
import { SweepImports } from './application/sweep-imports.service.js';
import { WriteContacts } from './application/write-contacts.service.js';
import { ContactFilesController } from './http/contact-files.controller.js';
import { ContactsController } from './http/contacts.controller.js';
import { ImportsController } from './http/imports.controller.js';
import { ListsController } from './http/lists.controller.js';
import { ContactTotals } from './infrastructure/contact-totals.js';
import { SqlContactErasures } from './infrastructure/sql-contact-erasures.js';
import { SqlContactImports } from './infrastructure/sql-contact-imports.js';
import { SqlContactRepository } from './infrastructure/sql-contact.repository.js';
import { SqlContactTurns } from './infrastructure/sql-contact-turns.js';
import { SqlImportRetention } from './infrastructure/sql-import-retention.js';
import { SqlImportRuns } from './infrastructure/sql-import-runs.js';
import { SqlSuppressedContacts } from './infrastructure/sql-suppressed-contacts.js';
import { StoredRecipientContacts } from './infrastructure/stored-recipient-contacts.js';
import { TypeOrmContactListRepository } from './infrastructure/typeorm-contact-list.repository.js';
import { ContactSchedules } from './jobs/contact-schedules.js';
import { MaintenanceProcessor } from './jobs/maintenance.processor.js';

/** Global for the suppression list and the messages, which know contacts through ports of theirs. */
@Global()
@Module({
  imports: [SuppressionModule],
  // The files first: their paths are also those of a contact by id.
  controllers: [ContactFilesController, ContactsController, ImportsController, ListsController],
  providers: [
    ContactTotals,
    ContactSchedules,
    EraseContacts,
    ExportContacts,
    ImportContacts,
    ImportRows,
    ListDirectory,
    MaintenanceProcessor,
    ManageContacts,
    ManageLists,
    RunImports,
    StartImport,
    SweepImports,
    WriteContacts,
    { provide: ContactErasures, useClass: SqlContactErasures },
    { provide: ContactImports, useClass: SqlContactImports },
    { provide: ContactListRepository, useClass: TypeOrmContactListRepository },
    { provide: ContactRepository, useClass: SqlContactRepository },
    { provide: ContactTurns, useClass: SqlContactTurns },
    { provide: ImportRetention, useClass: SqlImportRetention },
    { provide: ImportRuns, useClass: SqlImportRuns },
    { provide: RecipientContacts, useClass: StoredRecipientContacts },
    { provide: SuppressedContacts, useClass: SqlSuppressedContacts },
  ],
  exports: [RecipientContacts, SuppressedContacts],
})
export class ContactsModule {}
