import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

import { IfPresent, IsNotBlank, IsSingleLine } from '../../../../platform/http/validators.js';
import { CONSENT_PURPOSES, type ConsentPurpose } from '../../domain/consent.js';
import { ConsentAddressDto } from './list-consents.dto.js';
import { MAX_EVIDENCE_LENGTH, MAX_USER_AGENT_LENGTH, MAX_WORDING_LENGTH } from '../../../../shared/consent-fields.js';

const ACTIONS = ['granted', 'withdrawn'] as const;

export class RecordConsentDto extends ConsentAddressDto {
  /** Whether the person agreed, or took it back. */
  @ApiProperty({ enum: ACTIONS })
  @IsIn(ACTIONS, { message: `action must be ${ACTIONS.join(' or ')}` })
  action!: (typeof ACTIONS)[number];

  /** Default `marketing`. */
  @ApiPropertyOptional({ enum: CONSENT_PURPOSES })
  @IfPresent()
  @IsIn(CONSENT_PURPOSES, { message: `purpose must be ${CONSENT_PURPOSES.join(' or ')}` })
  purpose?: ConsentPurpose;

  /** Null or absent: for all topics. Must not be given with purpose `tracking`. */
  @IsOptional()
  @Matches(/^c[a-z0-9]{24}$/, { message: 'topicId must be an id' })
  topicId?: string | null;

  /**
   * When it happened, if not now: an ISO 8601 date or date-time, in UTC without an offset. Not in the future.
   * @example "2026-11-27T08:30:00.000Z"
   */
  @IsOptional()
  @MaxLength(40)
  @IsString()
  occurredAt?: string | null;

  /**
   * The words that the person agreed to.
   * @example "I would like to receive the monthly newsletter of Acme. I can unsubscribe at any time."
   */
  @IsOptional()
  @IsNotBlank()
  @Length(1, MAX_WORDING_LENGTH)
  @IsString()
  wording?: string | null;

  /**
   * The IPv4 or IPv6 address from which the person acted.
   * @example "192.0.2.10"
   */
  @IsOptional()
  @MaxLength(60)
  @IsString()
  ip?: string | null;

  /**
   * The browser or program with which the person acted.
   * @example "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
   */
  @IsOptional()
  @IsSingleLine()
  @MaxLength(MAX_USER_AGENT_LENGTH)
  @IsString()
  userAgent?: string | null;

  /**
   * Anything else that proves it, such as the number of a paper form.
   * @example "Paper form 4711, trade fair in Hanover"
   */
  @IsOptional()
  @MaxLength(MAX_EVIDENCE_LENGTH)
  @IsString()
  evidence?: string | null;
}
