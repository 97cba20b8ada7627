import { ApiProperty } from '@nestjs/swagger';

import {
  EMAIL_PROVIDERS,
  type EmailProviderKind,
  SMTP_VENDORS,
  type SmtpVendor,
  TRACKING,
  type Tracking,
} from '../../../shared/account-provider.js';
import type { DeliveryPause } from '../application/ports/delivery-pauses.js';
import type { Account } from '../domain/account.js';
import type { SesSettings } from '../domain/ses-settings.js';
import type { SmtpSettings } from '../domain/smtp-settings.js';

class SmtpSettingsResponse {
  host!: string;
  port!: number;

  /** TLS from the first byte instead of STARTTLS where the relay offers it. */
  secure!: boolean;
  username!: string | null;

  /** Whether there is a password; it is never shown. */
  passwordSet!: boolean;

  @ApiProperty({ enum: SMTP_VENDORS })
  vendor!: SmtpVendor;

  /** Whether there is a key to prove the vendor's events with; it is never shown. */
  eventSigningKeySet!: boolean;

  /** Messages per second at most; null: as many as the relay takes. */
  maxSendRate!: number | null;

  static from({ sealedPassword, sealedEventSigningKey, ...shown }: SmtpSettings): SmtpSettingsResponse {
    return { ...shown, passwordSet: sealedPassword !== null, eventSigningKeySet: Boolean(sealedEventSigningKey) };
  }
}

class SesSettingsResponse {
  region!: string;
  configurationSet!: string | null;

  /** Of the SNS topic that SES publishes the account's events to. */
  topicArn!: string | null;

  /** Null: the credentials of the process itself. */
  accessKeyId!: string | null;

  /** Whether there is a secret; it is never shown. */
  secretAccessKeySet!: boolean;

  static from({ sealedSecretAccessKey, ...shown }: SesSettings): SesSettingsResponse {
    return { ...shown, secretAccessKeySet: sealedSecretAccessKey !== null };
  }
}

class DeliveryStateResponse {
  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  /** What the provider said. */
  reason!: string | null;
  since!: Date | null;

  /** When waiting messages are tried again. A change of the provider's settings ends the pause for new ones. */
  until!: Date | null;

  static from(pause: DeliveryPause | null): DeliveryStateResponse {
    const { reason, since, until } = pause ?? { reason: null, since: null, until: null };
    return { state: pause ? 'paused' : 'active', reason, since, until };
  }
}

export class SettingsResponse {
  accountName!: string;

  /** Messages per UTC calendar day, over all channels and keys. */
  dailySendCap!: number;

  @ApiProperty({ enum: EMAIL_PROVIDERS })
  emailProvider!: EmailProviderKind;

  /** Who counts opens and clicks: this service, the provider, or nobody. */
  @ApiProperty({ enum: TRACKING })
  tracking!: Tracking;

  /** The account's relay; null: mail goes through the installation's, where it has one. */
  smtp!: SmtpSettingsResponse | null;
  ses!: SesSettingsResponse | null;

  /** Whether e-mail is handed over; paused where the provider refuses all of the account's mail. */
  delivery!: DeliveryStateResponse;

  static from({ account, pause }: { account: Account; pause: DeliveryPause | null }): SettingsResponse {
    const { name, dailySendCap, emailProvider, tracking, smtp, ses } = account;
    return {
      accountName: name,
      dailySendCap,
      emailProvider,
      tracking,
      smtp: smtp && SmtpSettingsResponse.from(smtp),
      ses: ses && SesSettingsResponse.from(ses),
      delivery: DeliveryStateResponse.from(pause),
    };
  }
}
