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

import { parseIsoTime } from '../../../../shared/iso-time.js';
import { type Scope, SCOPES } from '../../../../shared/scopes.js';

export class CreateApiKeyDto {
  /**
   * A name to recognise the key by.
   * @example "Web shop"
   */
  @IsString()
  @Length(1, 100)
  name!: string;

  /** The endpoints that the key may call. */
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(SCOPES, { each: true, message: `scopes must be some of ${SCOPES.join(', ')}` })
  scopes!: Scope[];

  /** From this moment on the key is refused; it lies in the future. Absent: never. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parseIsoTime(value)?.at ?? value) : value,
  )
  @IsDate({ message: 'expiresAt must be an ISO 8601 date-time' })
  expiresAt?: Date | null;

  /** The only client addresses, IPv4 or IPv6, that may use the key; no ranges. Empty or absent: any. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  ipAllowlist?: string[];

  /** Messages per UTC calendar day, at least 1 and lower than the account's cap. Absent: only the account's cap. */
  @IsOptional()
  @IsInt()
  @Min(1)
  dailyLimit?: number | null;
}
