import { IsOptional, IsString, Length } from 'class-validator';

import { IsSingleLine } from '../../../../platform/http/is-single-line.js';
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from '../../domain/template-limits.js';

export class CreateTemplateDto {
  /**
   * A name to recognise the template by.
   * @example "Welcome"
   */
  @IsString()
  @Length(1, 100)
  name!: string;

  /**
   * With double-brace placeholders. Values are not escaped.
   * @example "Welcome, {{firstName}}"
   */
  @IsSingleLine()
  @IsString()
  @Length(1, MAX_SUBJECT_LENGTH)
  subject!: string;

  /**
   * The HTML body; html or text is required. Values are HTML-escaped, except in {{{x}}} and {{&x}}. Sections are
   * {{#x}}…{{/x}} and {{^x}}…{{/x}}, at most 10 deep; partials and other delimiters are refused.
   * @example "<p>Dear {{firstName}},</p>"
   */
  @IsOptional()
  @IsString()
  @Length(1, MAX_BODY_LENGTH)
  html?: string | null;

  /**
   * The plain-text body; html or text is required. Values are not escaped.
   * @example "Dear {{firstName}},"
   */
  @IsOptional()
  @IsString()
  @Length(1, MAX_BODY_LENGTH)
  text?: string | null;
}
