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
import type { SmsAccountStatus } from '../application/ports/sms-account-statuses.js';

class SmtpSettingsResponse {
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

  /** The SNS topic to which SES publishes the account's events. */
  topicArn!: string | null;

  /** Null: the credentials of the process. */
  accessKeyId!: string | null;

  /** Whether a secret is stored; it is never returned. */
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

  /** The provider's error; null if deliveries are not paused. */
  reason!: string | null;
  since!: Date | null;

  /** When waiting messages are retried. A change of the provider's settings ends the pause for new messages. */
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

  /** The number that messages come from: in E.164, or a short code. */
  originationNumber!: string | null;

  /** Shown instead of the number in countries that allow it. */
  senderId!: string | null;

  /** Whether the number accepts replies. */
  twoWay!: boolean;

  /** The SNS topic to which replies are published. */
  topicArn!: string | null;

  /** Maximum messages per second. */
  maxSendRate!: number;

  /** Whether a key that verifies delivery receipts is stored; it is never returned. */
  eventSigningKeySet!: boolean;

  /**
   * Whether the AWS account is in the SMS sandbox, where only verified numbers can receive messages; null: not known
   * yet.
   */
  sandbox!: boolean | null;

  /** The numbers that are verified in the sandbox. */
  verifiedNumbers!: string[];

  /** The numbers from which the AWS account may send. */
  originationNumbers!: string[];

  /** When these were read from AWS; null: not yet. */
  checkedAt!: Date | null;

  /** Deliveries are paused while the provider refuses all of the account's SMS. */
  delivery!: DeliveryStateResponse;

  static from(
    { sealedEventSigningKey, ...shown }: SmsSettings,
    status: SmsAccountStatus | null,
    pause: DeliveryPause | null,
  ): SmsSettingsResponse {
    const { sandbox, verifiedNumbers, originationNumbers, checkedAt } = status ?? NOT_QUERIED;
    const delivery = DeliveryStateResponse.from(pause);
    const eventSigningKeySet = Boolean(sealedEventSigningKey);
    return { ...shown, eventSigningKeySet, sandbox, verifiedNumbers, originationNumbers, checkedAt, delivery };
  }
}

const NOT_QUERIED = { sandbox: null, verifiedNumbers: [], originationNumbers: [], checkedAt: null };

export class SettingsResponse {
  accountName!: string;

  /** Messages per UTC calendar day, over all channels and keys. */
  dailySendCap!: number;

  /** Percent of the daily cap. Once this much of it is used, campaigns wait for the next UTC day. */
  @ApiProperty({ type: 'integer' })
  campaignCapShare!: number;

  @ApiProperty({ enum: EMAIL_PROVIDERS })
  emailProvider!: EmailProviderKind;

  /** Who counts opens and clicks: this service, the provider, or nobody. */
  @ApiProperty({ enum: TRACKING })
  tracking!: Tracking;

  /** The account's relay; null: email is sent through the installation's relay, if it has one. */
  smtp!: SmtpSettingsResponse | null;
  ses!: SesSettingsResponse | null;

  /** Null: the account cannot send SMS. */
  sms!: SmsSettingsResponse | null;

  /** Whether a provider is configured. Without one, messages are accepted and wait. */
  canSend!: CanSendResponse;

  /** Deliveries are paused while the provider refuses all of the account's email. */
  delivery!: DeliveryStateResponse;

  static from({ account, canSend, pauses, smsStatus }: ShownSettings): SettingsResponse {
    const { name, dailySendCap, campaignCapShare, emailProvider, tracking, smtp, ses, sms } = account;
    return {
      accountName: name,
      dailySendCap,
      campaignCapShare,
      emailProvider,
      tracking,
      smtp: smtp && SmtpSettingsResponse.from(smtp),
      ses: ses && SesSettingsResponse.from(ses),
      sms: sms && SmsSettingsResponse.from(sms, smsStatus, pauses.sms),
      canSend,
      delivery: DeliveryStateResponse.from(pauses.email),
    };
  }
}
