import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

import { MAX_ACCOUNT_NAME_LENGTH, MAX_DAILY_SEND_CAP } from '../../../../config/limits.js';
import { IfPresent, IsLogoUrl, IsNotBlank, IsSingleLine } from '../../../../platform/http/validators.js';
import { SesSettingsDto, SmsSettingsDto, SmtpSettingsDto } from '../../../../providers/index.js';
import {
  EMAIL_PROVIDERS,
  type EmailProviderKind,
  TRACKING,
  type Tracking,
} from '../../../../shared/account-provider.js';
import {
  CONSENT_REQUIREMENTS,
  type ConsentRequirement,
  TRACKING_CONSENTS,
  type TrackingConsent,
} from '../../../../shared/account-settings.js';
import { BRAND_COLOR, MAX_LOGO_URL_LENGTH } from '../../../../shared/branding.js';

/** Absent fields are kept. */
class ConsentSettingsDto {
  /**
   * What is sent only to those with a standing consent to marketing. With `campaigns`, all others are skipped, also by
   * campaigns that are running.
   */
  @ApiPropertyOptional({ enum: CONSENT_REQUIREMENTS })
  @IfPresent()
  @IsIn(CONSENT_REQUIREMENTS, { message: `requiredFor must be ${CONSENT_REQUIREMENTS.join(' or ')}` })
  requiredFor?: ConsentRequirement;
}

/** Absent fields are kept. */
export class BrandingDto {
  /**
   * The address of the logo, over https: of a file, so its path does not end with a slash. It is at most 2,000
   * characters long, and loaded by the browsers of recipients. Null: the pages show the account's name.
   * @example "https://cdn.example.com/logo.svg"
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_LOGO_URL_LENGTH })
  @IsOptional()
  @IsLogoUrl()
  @IsString()
  logoUrl?: string | null;

  /**
   * The color of buttons, as `#rrggbb`. Their text is black or white, whichever can be read on it.
   * @example "#8a4b1f"
   */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: '^#[0-9a-fA-F]{6}$' })
  @IsOptional()
  @Matches(BRAND_COLOR, { message: '$property must be a color such as #8a4b1f' })
  @IsString()
  color?: string | null;
}

/** Absent fields are kept. */
export class ChangeSettingsDto {
  /** @example "Acme" */
  @IfPresent()
  @MaxLength(MAX_ACCOUNT_NAME_LENGTH)
  @IsNotBlank()
  @IsSingleLine()
  @IsString()
  accountName?: string;

  /**
   * Messages per UTC calendar day, over all channels and keys. The daily limits of keys are not changed; the lower
   * limit applies.
   * @example 1000
   */
  @IfPresent()
  @Min(1)
  @Max(MAX_DAILY_SEND_CAP)
  @IsInt()
  dailySendCap?: number;

  /**
   * Percent of the daily cap. Once this much of it is used, by messages of any kind, campaigns wait for the next UTC
   * day, and the rest is left for other messages.
   * @example 90
   */
  @IfPresent()
  @Min(1)
  @Max(100)
  @IsInt()
  campaignCapShare?: number;

  /** The provider that email is sent through; `ses` needs the `ses` settings. */
  @ApiPropertyOptional({ enum: EMAIL_PROVIDERS })
  @IfPresent()
  @IsIn(EMAIL_PROVIDERS, { message: `emailProvider must be ${EMAIL_PROVIDERS.join(' or ')}` })
  emailProvider?: EmailProviderKind;

  /** Who counts opens and clicks: this service, the provider, or nobody. */
  @ApiPropertyOptional({ enum: TRACKING })
  @IfPresent()
  @IsIn(TRACKING, { message: `tracking must be one of ${TRACKING.join(', ')}` })
  tracking?: Tracking;

  /**
   * Whether opens and clicks are recorded only of those with a standing consent to tracking. With `required`, providers
   * do not track: only `native` does, and only mail to those who have agreed.
   */
  @ApiPropertyOptional({ enum: TRACKING_CONSENTS })
  @IfPresent()
  @IsIn(TRACKING_CONSENTS, { message: `trackingConsent must be ${TRACKING_CONSENTS.join(' or ')}` })
  trackingConsent?: TrackingConsent;

  /** The looks of the account's public pages, such as that of unsubscribe links. Null clears both. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => BrandingDto)
  branding?: BrandingDto | null;

  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => ConsentSettingsDto)
  consent?: ConsentSettingsDto;

  /** The account's relay. Null clears it: email is then sent through the installation's relay, if it has one. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmtpSettingsDto)
  smtp?: SmtpSettingsDto | null;

  /**
   * Access to Amazon SES. Null clears it. SMS uses its credentials, even if email is sent through SMTP.
   */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SesSettingsDto)
  ses?: SesSettingsDto | null;

  /** How SMS is sent. Null clears it: the account can then send no SMS. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmsSettingsDto)
  sms?: SmsSettingsDto | null;
}
