import { IsObject, IsOptional, IsString, Length } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from '../../domain/template-limits.js';

export class CreateTemplateDto {
  /**
   * A name to recognise the template by.
   * @example "Welcome"
   */
  @Length(1, 100)
  @IsString()
  name!: string;

  /**
   * May contain double-brace placeholders. Values are not escaped.
   * @example "Welcome, {{firstName}}"
   */
  @IsSingleLine()
  @Length(1, MAX_SUBJECT_LENGTH)
  @IsString()
  subject!: string;

  /**
   * The HTML body; html or text is required. Values are HTML-escaped, except in {{{x}}} and {{&x}}. Sections are
   * {{#x}}…{{/x}} and {{^x}}…{{/x}}, at most 10 deep; partials and other delimiters are refused.
   * @example "<p>Dear {{firstName}},</p>"
   */
  @IsOptional()
  @Length(1, MAX_BODY_LENGTH)
  @IsString()
  html?: string | null;

  /**
   * The plain-text body; html or text is required. Values are not escaped.
   * @example "Dear {{firstName}},"
   */
  @IsOptional()
  @Length(1, MAX_BODY_LENGTH)
  @IsString()
  text?: string | null;

  /**
   * Values of the placeholders for previews and tests, at most 20,000 characters of JSON. Sends do not use them.
   * @example { "firstName": "Ada" }
   */
  @IfPresent()
  @Untransformed()
  @IsObject()
  sampleValues?: Record<string, unknown>;
}
