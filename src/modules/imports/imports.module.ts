import { Module } from '@nestjs/common';

import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ImportRows } from './application/import-rows.service.js';
import { ImportClaims } from './application/ports/import-claims.js';
import { ImportRepository } from './application/ports/import.repository.js';
import { RunImports } from './application/run-imports.service.js';
import { ManageImports } from './application/manage-imports.service.js';
import { SweepImports } from './application/sweep-imports.service.js';
import { ContactImportController } from './http/contact-import.controller.js';
import { ImportsController } from './http/imports.controller.js';
import { ImportErasure } from './infrastructure/import-erasure.js';
import { SqlImportClaims } from './infrastructure/sql-import-claims.js';
import { SqlImportRepository } from './infrastructure/sql-import.repository.js';
import { ImportSchedules } from './jobs/import-schedules.js';
import { MaintenanceProcessor } from './jobs/maintenance.processor.js';

/** Imports CSV files of contacts. */
@Module({
  imports: [AccountsModule, ContactsModule],
  controllers: [ContactImportController, ImportsController],
  providers: [
    ImportRows,
    ImportSchedules,
    MaintenanceProcessor,
    RunImports,
    ManageImports,
    SweepImports,
    { provide: ImportClaims, useClass: SqlImportClaims },
    { provide: ImportRepository, useClass: SqlImportRepository },
    { provide: RECIPIENT_ERASURE.imports, useClass: ImportErasure },
  ],
  exports: [RECIPIENT_ERASURE.imports],
})
export class ImportsModule {}
