import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Min,
} from 'class-validator';

import { IfPresent } from '../../../../platform/http/validators.js';
import { PageDto } from '../../../../platform/http/page.dto.js';
import { parseIsoTime } from '../../../../shared/iso-time.js';
import { KEY_MODES, type KeyMode } from '../../../../shared/key-mode.js';
import { type Scope, SCOPES } from '../../../../shared/permissions.js';
import { API_KEY_STATUSES, type ApiKeyStatus } from '../../domain/api-key.js';

const MODE_FAULT = `mode must be ${KEY_MODES.join(' or ')}`;

export class CreateApiKeyDto {
  /**
   * A name to recognise the key by.
   * @example "Web shop"
   */
  @Length(1, 100)
  @IsString()
  name!: string;

  /** What a test key sends is simulated and reaches nobody. Absent: live. The mode cannot be changed later. */
  @ApiPropertyOptional({ enum: KEY_MODES })
  @IfPresent()
  @IsIn(KEY_MODES, { message: MODE_FAULT })
  mode?: KeyMode;

  /**
   * The endpoints that the key may call.
   * @example ["send", "read_events"]
   */
  @IsIn(SCOPES, { each: true, message: `scopes must be some of ${SCOPES.join(', ')}` })
  @ArrayNotEmpty()
  @IsArray()
  scopes!: Scope[];

  /**
   * The key is refused from this time on, which must be in the future. Absent or null: it never expires.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parseIsoTime(value)?.at ?? value) : value,
  )
  @IsDate({ message: 'expiresAt must be an ISO 8601 date-time' })
  expiresAt?: Date | null;

  /** The client addresses, IPv4 or IPv6, that may use the key; no ranges. Empty, absent or null: any address. */
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(100)
  @IsArray()
  ipAllowlist?: string[] | null;

  /**
   * Messages per UTC day, at least 1 and lower than the account's cap. Absent or null: only that cap applies. A test
   * key, to which the cap does not apply, may have any limit; absent or null: 10,000.
   */
  @IsOptional()
  @Min(1)
  @IsInt()
  dailyLimit?: number | null;
}

/** Absent fields are kept. Null clears a field, with the effect described for creation. */
export class ChangeApiKeyDto extends PickType(CreateApiKeyDto, ['ipAllowlist', 'expiresAt', 'dailyLimit']) {
  /**
   * A name to recognise the key by.
   * @example "Web shop"
   */
  @IfPresent()
  @Length(1, 100)
  @IsString()
  name?: string;
}

export class ListApiKeysDto extends PageDto {
  @ApiPropertyOptional({ enum: API_KEY_STATUSES })
  @IsOptional()
  @IsIn(API_KEY_STATUSES, { message: `status must be one of ${API_KEY_STATUSES.join(', ')}` })
  status?: ApiKeyStatus;

  @ApiPropertyOptional({ enum: KEY_MODES })
  @IsOptional()
  @IsIn(KEY_MODES, { message: MODE_FAULT })
  mode?: KeyMode;
}
