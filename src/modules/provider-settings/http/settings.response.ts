import { ApiProperty } from '@nestjs/swagger';

import {
  EMAIL_PROVIDERS,
  type EmailProviderKind,
  SMTP_VENDORS,
  type SmtpVendor,
  TRACKING,
  type Tracking,
} from '../../../shared/account-provider.js';
import type { SesSettings, SmsSettings, SmtpSettings } from '../../../shared/account-settings.js';
import type { DeliveryPause } from '../application/ports/delivery-pauses.js';
import type { ShownSettings } from '../application/show-settings.service.js';
import type { SmsAccountStatus } from '../domain/sms-account-status.js';

class SmtpSettingsResponse {
  host!: string;
  port!: number;

  /** TLS from the first byte instead of STARTTLS where the relay offers it. */
  secure!: boolean;
  username!: string | null;

  /** Whether there is a password; it is never shown. */
  passwordSet!: boolean;

  /** Whether the password may be sent without TLS, other than over loopback. */
  allowPlaintext!: boolean;

  @ApiProperty({ enum: SMTP_VENDORS })
  vendor!: SmtpVendor;

  /** Whether there is a key to prove the vendor's events with; it is never shown. */
  eventSigningKeySet!: boolean;

  /** Messages per second at most; null: as many as the relay takes. */
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

class CanSendResponse {
  /** Whether an SMTP relay (the account's or the installation's) or SES is configured. */
  email!: boolean;

  /** Whether SMS is enabled and has an origination number. */
  sms!: boolean;
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

class SmsSettingsResponse {
  /** Whether the account may send SMS. */
  enabled!: boolean;
  region!: string;

  /** What messages come from: in E.164, or a short code. */
  originationNumber!: string | null;

  /** Shown instead of the number in countries that allow it. */
  senderId!: string | null;

  /** Whether the number takes replies. */
  twoWay!: boolean;

  /** Of the SNS topic that replies are published to. */
  topicArn!: string | null;

  /** Messages per second at most. */
  maxSendRate!: number;

  /** Whether there is a key to prove delivery receipts with; it is never shown. */
  eventSigningKeySet!: boolean;

  /** Whether the AWS account is in the SMS sandbox, where only verified numbers receive; null: not known yet. */
  sandbox!: boolean | null;

  /** Verified in the sandbox. */
  verifiedNumbers!: string[];

  /** What the AWS account may send from. */
  originationNumbers!: string[];

  /** When AWS told these; null: not yet. */
  checkedAt!: Date | null;

  /** Whether SMS are handed over; paused where the provider refuses all of them. */
  delivery!: DeliveryStateResponse;

  static from(
    { sealedEventSigningKey, ...shown }: SmsSettings,
    standing: SmsAccountStatus | null,
    pause: DeliveryPause | null,
  ): SmsSettingsResponse {
    const { sandbox, verifiedNumbers, originationNumbers, checkedAt } = standing ?? NOT_ASKED;
    const delivery = DeliveryStateResponse.from(pause);
    const eventSigningKeySet = Boolean(sealedEventSigningKey);
    return { ...shown, eventSigningKeySet, sandbox, verifiedNumbers, originationNumbers, checkedAt, delivery };
  }
}

const NOT_ASKED = { sandbox: null, verifiedNumbers: [], originationNumbers: [], checkedAt: null };

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

  /** Null: the account sends no SMS. */
  sms!: SmsSettingsResponse | null;

  /** Whether messages can be sent. Without a provider they are accepted and wait. */
  canSend!: CanSendResponse;

  /** Whether e-mail is handed over; paused where the provider refuses all of the account's mail. */
  delivery!: DeliveryStateResponse;

  static from({ account, canSend, pauses, smsStanding }: ShownSettings): SettingsResponse {
    const { name, dailySendCap, emailProvider, tracking, smtp, ses, sms } = account;
    return {
      accountName: name,
      dailySendCap,
      emailProvider,
      tracking,
      smtp: smtp && SmtpSettingsResponse.from(smtp),
      ses: ses && SesSettingsResponse.from(ses),
      sms: sms && SmsSettingsResponse.from(sms, smsStanding, pauses.sms),
      canSend,
      delivery: DeliveryStateResponse.from(pauses.email),
    };
  }
}
