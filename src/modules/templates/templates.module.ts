import { Module } from '@nestjs/common';

import { ManageTemplates } from './application/manage-templates.service.js';
import { TemplateRepository } from './application/ports/template.repository.js';
import { RenderTemplate } from './application/render-template.service.js';
import { TemplatesController } from './http/templates.controller.js';
import { TypeOrmTemplateRepository } from './infrastructure/typeorm-template.repository.js';

@Module({
  controllers: [TemplatesController],
  providers: [ManageTemplates, RenderTemplate, { provide: TemplateRepository, useClass: TypeOrmTemplateRepository }],
  exports: [RenderTemplate],
})
export class TemplatesModule {}
