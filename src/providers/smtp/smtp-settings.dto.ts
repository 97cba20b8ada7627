import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';

import { IfPresent, IsSingleLine } from '../../platform/http/validators.js';
import { SMTP_VENDORS, type SmtpVendor } from '../../shared/account-provider.js';
import { MIN_SIGNING_KEY_LENGTH } from '../events/signatures.js';
import { IsRelayHost } from './is-relay-host.js';

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
  @ApiPropertyOptional({ format: 'double' })
  @IsOptional()
  @Min(0.1)
  @Max(10_000)
  @IsNumber()
  maxSendRate?: number | null;
}
