import { Module } from '@nestjs/common';

import { ImportSuppressions } from './application/import-suppressions.service.js';
import { ManageSuppressions } from './application/manage-suppressions.service.js';
import { SuppressAddresses } from './application/suppress-addresses.service.js';
import { SuppressionRepository } from './application/ports/suppression.repository.js';
import { SuppressionList } from './application/suppression-list.service.js';
import { SuppressionFilesController } from './http/suppression-files.controller.js';
import { SuppressionsController } from './http/suppressions.controller.js';
import { SqlSuppressionRepository } from './infrastructure/sql-suppression.repository.js';

@Module({
  controllers: [SuppressionFilesController, SuppressionsController],
  providers: [
    ImportSuppressions,
    ManageSuppressions,
    SuppressAddresses,
    SuppressionList,
    { provide: SuppressionRepository, useClass: SqlSuppressionRepository },
  ],
  exports: [SuppressAddresses, SuppressionList],
})
export class SuppressionModule {}
