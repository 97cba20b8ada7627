import { IsObject } from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import { Untransformed } from '../../../../platform/http/validation.js';

export class PreviewTemplateDto {
  /**
   * Values for the placeholders: texts, numbers, true and false, lists and objects of these. A missing one renders empty.
   * @example { "firstName": "Ada" }
   */
  @IfPresent()
  @Untransformed()
  @IsObject()
  variables?: Record<string, unknown>;
}
