import { IsOptional, IsString, Length } from 'class-validator';

import { IfPresent } from '../../../../platform/http/if-present.js';
import { IsSingleLine } from '../../../../platform/http/is-single-line.js';
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from '../../domain/template-limits.js';

/** Absent fields are kept. */
export class ChangeTemplateDto {
  /** @example "Welcome" */
  @IfPresent()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** @example "Welcome, {{firstName}}" */
  @IfPresent()
  @IsSingleLine()
  @IsString()
  @Length(1, MAX_SUBJECT_LENGTH)
  subject?: string;

  /**
   * Null removes it; html or text must be left.
   * @example "<p>Dear {{firstName}},</p>"
   */
  @IsOptional()
  @IsString()
  @Length(1, MAX_BODY_LENGTH)
  html?: string | null;

  /**
   * Null removes it; html or text must be left.
   * @example "Dear {{firstName}},"
   */
  @IsOptional()
  @IsString()
  @Length(1, MAX_BODY_LENGTH)
  text?: string | null;
}
