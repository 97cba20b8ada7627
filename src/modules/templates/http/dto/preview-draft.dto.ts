import { IntersectionType, PickType } from '@nestjs/swagger';

import { Untransformed } from '../../../../platform/http/validation.js';
import { CreateTemplateDto } from './create-template.dto.js';
import { PreviewTemplateDto } from './preview-template.dto.js';

export class PreviewDraftDto extends IntersectionType(
  PickType(CreateTemplateDto, ['subject', 'html', 'text'] as const),
  PreviewTemplateDto,
) {}

// IntersectionType does not take it over.
Untransformed()(PreviewDraftDto.prototype, 'variables');
