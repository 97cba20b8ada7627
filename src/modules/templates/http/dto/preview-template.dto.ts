import { IntersectionType, PickType } from '@nestjs/swagger';
import { IsObject } from 'class-validator';

import { IfPresent } from '../../../../platform/http/if-present.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { CreateTemplateDto } from './create-template.dto.js';

export class PreviewTemplateDto {
  /**
   * Values of the placeholders: strings, numbers, booleans, and lists and objects of these. Missing ones render empty.
   * @example { "firstName": "Ada" }
   */
  @IfPresent()
  @Untransformed()
  @IsObject()
  variables?: Record<string, unknown>;
}

export class PreviewDraftDto extends IntersectionType(
  PickType(CreateTemplateDto, ['subject', 'html', 'text'] as const),
  PreviewTemplateDto,
) {}

// IntersectionType does not copy this metadata.
Untransformed()(PreviewDraftDto.prototype, 'variables');
