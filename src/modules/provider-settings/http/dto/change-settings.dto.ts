import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
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

import { IfPresent, IsSingleLine } from '../../../../platform/http/validators.js';
import {
  EMAIL_PROVIDERS,
  type EmailProviderKind,
  SMTP_VENDORS,
  type SmtpVendor,
  TRACKING,
  type Tracking,
} from '../../../../shared/account-provider.js';
import { MIN_SIGNING_KEY_LENGTH } from '../../../../shared/event-signing-key.js';
import { MAX_ACCOUNT_NAME_LENGTH, MAX_DAILY_SEND_CAP } from '../../../accounts/index.js';
import { IsRelayHost } from './is-relay-host.js';
import { SesSettingsDto } from './ses-settings.dto.js';
import { SmsSettingsDto } from './sms-settings.dto.js';

/** Absent fields are kept. New settings need `host` and `port`. */
export class SmtpSettingsDto {
  /**
   * A host name or an IP address. A new host without a password clears the stored password.
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

  /** TLS from the first byte (usually port 465) instead of STARTTLS where the relay offers it. Default: false. */
  @IfPresent()
  @IsBoolean()
  secure?: boolean;

  /**
   * Null: the relay requires no login.
   * @example "mailer"
   */
  @IsOptional()
  @Length(1, 320)
  @IsSingleLine()
  @IsString()
  username?: string | null;

  /**
   * Stored encrypted and never returned. Null clears it.
   * @example "correct horse battery staple"
   */
  @IsOptional()
  @Length(1, 1_000)
  @IsSingleLine()
  @IsString()
  password?: string | null;

  /**
   * Whether to send the password without TLS if the relay does not offer STARTTLS. If false (the default), the service
   * does not log in to such a relay, unless its address is a loopback address.
   */
  @IfPresent()
  @IsBoolean()
  allowPlaintext?: boolean;

  /**
   * Decides which vendor-specific headers messages carry, such as those for the vendor's tracking. Default: generic.
   */
  @ApiPropertyOptional({ enum: SMTP_VENDORS })
  @IfPresent()
  @IsIn(SMTP_VENDORS, { message: `vendor must be one of ${SMTP_VENDORS.join(', ')}` })
  vendor?: SmtpVendor;

  /**
   * Verifies the vendor's requests to `/api/provider-events/smtp/:accountId`; stored encrypted and never returned.
   * SendGrid: the verification key; Mailgun: the HTTP webhook signing key; Postmark: the `user:password` in the webhook
   * URL; Resend: the `whsec_…` secret; generic: the secret of the HMAC. Null clears it, and so does a new vendor
   * without a key: then all events are refused.
   * @example "a signing key of the vendor"
   */
  @IsOptional()
  @Length(MIN_SIGNING_KEY_LENGTH, 1_000)
  @IsSingleLine()
  @IsString()
  eventSigningKey?: string | null;

  /** Messages per second, over all workers. Null: unlimited. */
  @IsOptional()
  @Min(0.1)
  @Max(10_000)
  @IsNumber()
  maxSendRate?: number | null;
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

  /** SMS through Amazon SNS. Null clears it: the account can then send no SMS. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmsSettingsDto)
  sms?: SmsSettingsDto | null;
}
