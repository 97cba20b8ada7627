import { ApiProperty } from '@nestjs/swagger';

import type { Account } from '../domain/account.js';
import type { SmtpSettings } from '../domain/smtp-settings.js';

class SmtpSettingsResponse {
  host!: string;
  port!: number;

  /** TLS from the first byte instead of STARTTLS where the relay offers it. */
  secure!: boolean;
  username!: string | null;

  /** Whether there is a password; it is never shown. */
  passwordSet!: boolean;

  static from({ host, port, secure, username, sealedPassword }: SmtpSettings): SmtpSettingsResponse {
    return { host, port, secure, username, passwordSet: sealedPassword !== null };
  }
}

export class SettingsResponse {
  accountName!: string;

  /** Messages per UTC calendar day, over all channels and keys. */
  dailySendCap!: number;

  @ApiProperty({ enum: ['smtp'] })
  emailProvider!: 'smtp';

  /** The account's relay; null: mail goes through the installation's, where it has one. */
  smtp!: SmtpSettingsResponse | null;

  static from({ name, dailySendCap, emailProvider, smtp }: Account): SettingsResponse {
    return { accountName: name, dailySendCap, emailProvider, smtp: smtp && SmtpSettingsResponse.from(smtp) };
  }
}
