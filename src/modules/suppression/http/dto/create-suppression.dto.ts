import { IsOptional, IsString, Length, MaxLength } from 'class-validator';

import { MAX_NOTE_LENGTH } from '../../../../config/limits.js';
import { IfPresent, IsEmailAddress } from '../../../../platform/http/validators.js';

/** Either `email` or `phone`. */
export class CreateSuppressionDto {
  /** @example "ada@example.com" */
  @IfPresent()
  @IsEmailAddress()
  email?: string;

  /**
   * In E.164 format, or a 10-digit US number.
   * @example "+14155550100"
   */
  @IfPresent()
  @Length(1, 40)
  @IsString()
  phone?: string;

  /**
   * The reason, for the users of the account.
   * @example "Asked by phone on Monday"
   */
  @IsOptional()
  @MaxLength(MAX_NOTE_LENGTH)
  @IsString()
  note?: string | null;
}
