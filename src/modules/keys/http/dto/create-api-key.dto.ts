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
import { type Scope, SCOPES } from '../../../../shared/permissions.js';

export class CreateApiKeyDto {
  /**
   * A name to recognise the key by.
   * @example "Web shop"
   */
  @Length(1, 100)
  @IsString()
  name!: string;

  /**
   * The endpoints that the key may call.
   * @example ["send", "read_events"]
   */
  @IsIn(SCOPES, { each: true, message: `scopes must be some of ${SCOPES.join(', ')}` })
  @ArrayNotEmpty()
  @IsArray()
  scopes!: Scope[];

  /**
   * From this moment on the key is refused; it lies in the future. Absent or null: never.
   * @example "2030-01-01T00:00:00.000Z"
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parseIsoTime(value)?.at ?? value) : value,
  )
  @IsDate({ message: 'expiresAt must be an ISO 8601 date-time' })
  expiresAt?: Date | null;

  /**
   * The only client addresses, IPv4 or IPv6, that may use the key; no ranges. Empty, absent or null: any.
   */
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(100)
  @IsArray()
  ipAllowlist?: string[] | null;

  /**
   * Messages per UTC calendar day, at least 1 and lower than the account's cap. Absent or null: only the account's cap.
   */
  @IsOptional()
  @Min(1)
  @IsInt()
  dailyLimit?: number | null;
}
