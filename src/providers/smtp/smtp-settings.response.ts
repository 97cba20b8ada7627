import { ApiProperty } from '@nestjs/swagger';

import { SMTP_VENDORS, type SmtpVendor } from '../../shared/account-provider.js';
import type { SmtpSettings } from '../../shared/account-settings.js';

export class SmtpSettingsResponse {
  /** @example "smtp.example.com" */
  host!: string;
  port!: number;

  /** TLS from the first byte instead of STARTTLS where the relay offers it. */
  secure!: boolean;
  username!: string | null;

  /** Whether a password is stored; it is never returned. */
  passwordSet!: boolean;

  /** Whether the password may be sent without TLS, other than over loopback. */
  allowPlaintext!: boolean;

  @ApiProperty({ enum: SMTP_VENDORS })
  vendor!: SmtpVendor;

  /** Whether a key that verifies the vendor's events is stored; it is never returned. */
  eventSigningKeySet!: boolean;

  /** Maximum messages per second; null: unlimited. */
  @ApiProperty({ format: 'double' })
  maxSendRate!: number | null;

  static from({
    sealedPassword,
    sealedEventSigningKey,
    allowPlaintext = false,
    ...shown
  }: SmtpSettings): SmtpSettingsResponse {
    const eventSigningKeySet = Boolean(sealedEventSigningKey);
    return { ...shown, allowPlaintext, passwordSet: sealedPassword !== null, eventSigningKeySet };
  }
}
