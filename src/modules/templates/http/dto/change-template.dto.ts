import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsObject, IsOptional, IsString, Length, Min } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import { Untransformed } from '../../../../platform/http/validation.js';
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from '../../domain/template-limits.js';

/** Absent fields are kept. */
export class ChangeTemplateDto {
  /**
   * The version that the change is based on: if it is not the newest any more, nothing is saved. Absent: the change is
   * saved over any version.
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IfPresent()
  @Min(1)
  @IsInt()
  version?: number;

  /** @example "Welcome" */
  @IfPresent()
  @Length(1, 100)
  @IsString()
  name?: string;

  /** @example "Welcome, {{firstName}}" */
  @IfPresent()
  @IsSingleLine()
  @Length(1, MAX_SUBJECT_LENGTH)
  @IsString()
  subject?: string;

  /**
   * Null removes it; html or text has to remain.
   * @example "<p>Dear {{firstName}},</p>"
   */
  @IsOptional()
  @Length(1, MAX_BODY_LENGTH)
  @IsString()
  html?: string | null;

  /**
   * Null removes it; html or text has to remain.
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
