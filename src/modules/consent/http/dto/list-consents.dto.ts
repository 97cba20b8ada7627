import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';

import { CursorDto } from '../../../../platform/http/page.dto.js';
import { IfPresent, IsEmailAddress, IsIsoTime } from '../../../../platform/http/validators.js';
import { CONSENT_ACTIONS, CONSENT_PURPOSES, type ConsentAction, type ConsentPurpose } from '../../domain/consent.js';

export class ListConsentsDto extends CursorDto {
  /** The records of this address, in any spelling; also if the person has been erased. */
  @IfPresent()
  @IsEmailAddress()
  email?: string;

  /** The records of this number. */
  @IfPresent()
  @Length(1, 40)
  @IsString()
  phone?: string;

  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be an id' })
  topicId?: string;

  @ApiPropertyOptional({ enum: CONSENT_PURPOSES })
  @IsOptional()
  @IsIn(CONSENT_PURPOSES, { message: `purpose must be ${CONSENT_PURPOSES.join(' or ')}` })
  purpose?: ConsentPurpose;

  @ApiPropertyOptional({ enum: CONSENT_ACTIONS })
  @IsOptional()
  @IsIn(CONSENT_ACTIONS, { message: `action must be one of ${CONSENT_ACTIONS.join(', ')}` })
  action?: ConsentAction;

  /** Recorded at this time or later: an ISO 8601 date, meaning the start of that UTC day, or date-time. */
  @ApiPropertyOptional({ example: '2026-11-01' })
  @IsOptional()
  @IsIsoTime()
  from?: string;

  /** Recorded before this date-time or, if it is a date, until the end of that UTC day. */
  @ApiPropertyOptional({ example: '2026-11-30' })
  @IsOptional()
  @IsIsoTime()
  to?: string;
}

/** Either `email` or `phone`. */
export class ConsentAddressDto {
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
}
