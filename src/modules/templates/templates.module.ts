import { Module } from '@nestjs/common';

import { ManageTemplates } from './application/manage-templates.service.js';
import { TemplateRepository } from './application/ports/template.repository.js';
import { TemplateVersionRepository } from './application/ports/template-version.repository.js';
import { RenderTemplate } from './application/render-template.service.js';
import { TemplateHistory } from './application/template-history.service.js';
import { TemplateVersionsController } from './http/template-versions.controller.js';
import { TemplatesController } from './http/templates.controller.js';
import { SqlTemplateVersionRepository } from './infrastructure/sql-template-version.repository.js';
import { TypeOrmTemplateRepository } from './infrastructure/typeorm-template.repository.js';

@Module({
  controllers: [TemplatesController, TemplateVersionsController],
  providers: [
    ManageTemplates,
    RenderTemplate,
    TemplateHistory,
    { provide: TemplateRepository, useClass: TypeOrmTemplateRepository },
    { provide: TemplateVersionRepository, useClass: SqlTemplateVersionRepository },
  ],
  exports: [RenderTemplate],
})
export class TemplatesModule {}
