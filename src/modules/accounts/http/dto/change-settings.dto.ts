import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

import { IfPresent } from '../../../../platform/http/if-present.js';
import { IsSingleLine } from '../../../../platform/http/is-single-line.js';
import { MAX_ACCOUNT_NAME_LENGTH, MAX_DAILY_SEND_CAP } from '../../domain/account.js';
import { IsRelayHost } from './is-relay-host.js';

/** Absent fields are kept; the first settings need `host` and `port`. */
export class SmtpSettingsDto {
  /**
   * A host name or an IP address. Another host than before, without a password, clears the stored password.
   * @example "smtp.example.com"
   */
  @IfPresent()
  @IsRelayHost()
  host?: string;

  /** @example 587 */
  @IfPresent()
  @Min(1)
  @Max(65_535)
  @IsInt()
  port?: number;

  /** TLS from the first byte (usually port 465) instead of STARTTLS where the relay offers it. At first: false. */
  @IfPresent()
  @IsBoolean()
  secure?: boolean;

  /** Null: the relay takes mail without a login. */
  @IsOptional()
  @Length(1, 320)
  @IsSingleLine()
  @IsString()
  username?: string | null;

  /** Kept encrypted and never shown. Null clears it. */
  @IsOptional()
  @Length(1, 1_000)
  @IsSingleLine()
  @IsString()
  password?: string | null;
}

/** Absent fields are kept. */
export class ChangeSettingsDto {
  /** @example "Acme" */
  @IfPresent()
  @MaxLength(MAX_ACCOUNT_NAME_LENGTH)
  @Matches(/\S/, { message: 'accountName must not be blank' })
  @IsSingleLine()
  @IsString()
  accountName?: string;

  /**
   * Messages per UTC calendar day, over all channels and keys. A key whose daily limit is not lower than this keeps it;
   * the lower of the two counts.
   * @example 1000
   */
  @IfPresent()
  @Min(1)
  @Max(MAX_DAILY_SEND_CAP)
  @IsInt()
  dailySendCap?: number;

  @ApiPropertyOptional({ enum: ['smtp'] })
  @IfPresent()
  @IsIn(['smtp'], { message: 'emailProvider must be smtp' })
  emailProvider?: 'smtp';

  /** The account's relay. Null clears it: mail then goes through the installation's, where it has one. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmtpSettingsDto)
  smtp?: SmtpSettingsDto | null;
}
