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
import { MAX_ACCOUNT_NAME_LENGTH, MAX_DAILY_SEND_CAP } from '../../domain/account.js';
import { IsRelayHost } from './is-relay-host.js';
import { SesSettingsDto } from './ses-settings.dto.js';
import { SmsSettingsDto } from './sms-settings.dto.js';

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
   * Kept encrypted and never shown. Null clears it.
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

  /** Whose headers the mails carry, for instance those that switch the vendor's own tracking on and off. At first: generic. */
  @ApiPropertyOptional({ enum: SMTP_VENDORS })
  @IfPresent()
  @IsIn(SMTP_VENDORS, { message: `vendor must be one of ${SMTP_VENDORS.join(', ')}` })
  vendor?: SmtpVendor;

  /**
   * Proves the vendor's posts to `/api/provider-events/smtp/:accountId`; kept encrypted and never shown. SendGrid: the
   * verification key; Mailgun: the HTTP webhook signing key; Postmark: the `user:password` in the webhook URL; Resend:
   * the `whsec_…` secret; generic: the secret of the HMAC. Another vendor without a key clears it, null too: then no
   * event is taken.
   * @example "a signing key of the vendor"
   */
  @IsOptional()
  @Length(MIN_SIGNING_KEY_LENGTH, 1_000)
  @IsSingleLine()
  @IsString()
  eventSigningKey?: string | null;

  /** Messages per second, over all workers. Null: as many as the relay takes. */
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
   * Messages per UTC calendar day, over all channels and keys. A key whose daily limit is not lower than this keeps it;
   * the lower of the two counts.
   * @example 1000
   */
  @IfPresent()
  @Min(1)
  @Max(MAX_DAILY_SEND_CAP)
  @IsInt()
  dailySendCap?: number;

  /** Through what e-mail leaves from now on; `ses` needs the `ses` settings. */
  @ApiPropertyOptional({ enum: EMAIL_PROVIDERS })
  @IfPresent()
  @IsIn(EMAIL_PROVIDERS, { message: `emailProvider must be ${EMAIL_PROVIDERS.join(' or ')}` })
  emailProvider?: EmailProviderKind;

  /** Who counts opens and clicks: this service, the provider, or nobody. */
  @ApiPropertyOptional({ enum: TRACKING })
  @IfPresent()
  @IsIn(TRACKING, { message: `tracking must be one of ${TRACKING.join(', ')}` })
  tracking?: Tracking;

  /** The account's relay. Null clears it: mail then goes through the installation's, where it has one. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmtpSettingsDto)
  smtp?: SmtpSettingsDto | null;

  /**
   * How to send through Amazon SES. Null clears it. SMS uses its credentials, also where e-mail leaves by SMTP.
   */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SesSettingsDto)
  ses?: SesSettingsDto | null;

  /** How to send SMS through Amazon SNS. Null clears it: then there is none. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SmsSettingsDto)
  sms?: SmsSettingsDto | null;
}
