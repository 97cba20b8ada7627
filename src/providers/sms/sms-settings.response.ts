import { ApiProperty } from '@nestjs/swagger';
import type { SmsSettings } from '../../shared/account-settings.js';
import type { SmsAccountState } from '../capabilities/opt-outs.js';
import { DeliveryStateResponse } from '../delivery-state.response.js';
import { snsFieldsOf } from '../sns/sns-settings.js';
import { TwilioSettingsResponse } from '../twilio/twilio-settings.response.js';
import { DEFAULT_SMS_PROVIDER, SMS_PROVIDERS, type SmsProviderName } from './sms-providers.js';

class QuietHoursResponse {
  /** @example "21:00" */
  from!: string;
  /** @example "08:00" */
  to!: string;
  /** @example "Europe/Berlin" */
  timeZone!: string;
}

export class SmsSettingsResponse {
  @ApiProperty({ enum: SMS_PROVIDERS })
  provider!: SmsProviderName;

  /** Whether the account may send SMS. */
  enabled!: boolean;
  /**
   * Empty if the account has never used Amazon SNS.
   * @example "us-east-1"
   */
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
  @ApiProperty({ format: 'double' })
  maxSendRate!: number;

  /** Whether a key that verifies delivery receipts is stored; it is never returned. */
  eventSigningKeySet!: boolean;

  /** The account at Twilio; null if none was ever set. */
  twilio!: TwilioSettingsResponse | null;

  /** Words that opt out as a whole reply, besides those that all accounts have. */
  stopWords!: string[];

  /** When SMS with a topic wait; null: never. */
  quietHours!: QuietHoursResponse | null;

  /**
   * Whether the AWS account is in the SMS sandbox, where only verified numbers can receive messages; null: not known
   * yet.
   */
  sandbox!: boolean | null;

  /**
   * The numbers that are verified in the sandbox.
   * @example ["+12065550100"]
   */
  verifiedNumbers!: string[];

  /**
   * The numbers from which the AWS account may send.
   * @example ["+12065550100"]
   */
  originationNumbers!: string[];

  /** When these were read from AWS; null: not yet. */
  checkedAt!: Date | null;

  /** Deliveries are paused while the provider refuses all of the account's SMS. */
  delivery!: DeliveryStateResponse;

  static from(
    settings: SmsSettings,
    status: (SmsAccountState & { checkedAt: Date }) | null,
    pause: Parameters<typeof DeliveryStateResponse.from>[0],
  ): SmsSettingsResponse {
    const { enabled, originationNumber, twoWay, maxSendRate, stopWords = [], quietHours = null } = settings;
    const provider = (settings.provider ?? DEFAULT_SMS_PROVIDER) as SmsProviderName;
    const twilio = TwilioSettingsResponse.from(settings);
    const { region, senderId, topicArn, sealedEventSigningKey } = snsFieldsOf(settings);
    const { sandbox, verifiedNumbers, originationNumbers, checkedAt } = status ?? NOT_QUERIED;
    const delivery = DeliveryStateResponse.from(pause);
    const eventSigningKeySet = Boolean(sealedEventSigningKey);
    const shown = { provider, enabled, region, originationNumber, senderId, twoWay, topicArn, maxSendRate, twilio };
    const rules = { stopWords: [...stopWords], quietHours };
    return {
      ...shown,
      eventSigningKeySet,
      ...rules,
      sandbox,
      verifiedNumbers,
      originationNumbers,
      checkedAt,
      delivery,
    };
  }
}

const NOT_QUERIED = { sandbox: null, verifiedNumbers: [], originationNumbers: [], checkedAt: null };
