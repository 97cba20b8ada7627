import type { SmsSettings } from '../../shared/account-settings.js';
import { twilioFieldsOf } from './twilio-settings.js';

export class TwilioSettingsResponse {
  /** @example "AC0123456789abcdef0123456789abcdef" */
  accountSid!: string;

  /** Whether an auth token is stored; it is never returned. */
  authTokenSet!: boolean;

  /**
   * The sender of messages: a number in E.164, a short code or a name.
   * @example "+12065550100"
   */
  from!: string | null;

  /** The messaging service that chooses the sender of messages. */
  messagingServiceSid!: string | null;

  /** Null if the account has never used Twilio. */
  static from(settings: SmsSettings): TwilioSettingsResponse | null {
    const { twilioAccountSid, sealedTwilioAuthToken, twilioFrom, twilioMessagingServiceSid } = twilioFieldsOf(settings);
    if (twilioAccountSid === null) return null;
    return {
      accountSid: twilioAccountSid,
      authTokenSet: sealedTwilioAuthToken !== null,
      from: twilioFrom,
      messagingServiceSid: twilioMessagingServiceSid,
    };
  }
}
