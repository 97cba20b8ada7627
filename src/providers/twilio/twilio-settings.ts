import type { SmsSettings } from '../../shared/account-settings.js';
import { DomainError } from '../../shared/domain-error.js';
import { normaliseSmsSender } from '../../shared/phone-number.js';
import type { Seal, SmsProviderSettings } from '../capabilities/settings.js';

/**
 * The stored fields of Twilio in the section of SMS. They are no object of their own, because secrets are found by
 * name.
 */
export interface TwilioFields {
  twilioAccountSid: string | null;
  /** Signs in, and verifies Twilio's posts; sealed by the SecretBox. */
  sealedTwilioAuthToken: string | null;
  /** A number, a short code or an alphanumeric sender; null if a messaging service chooses it. */
  twilioFrom: string | null;
  twilioMessagingServiceSid: string | null;
}

/** Absent fields are kept, null clears. */
export interface TwilioChange {
  twilio?: {
    accountSid?: string;
    authToken?: string;
    from?: string | null;
    messagingServiceSid?: string | null;
  };
}

const NO_FIELDS: TwilioFields = {
  twilioAccountSid: null,
  sealedTwilioAuthToken: null,
  twilioFrom: null,
  twilioMessagingServiceSid: null,
};

/** The fields of Twilio. All are null if the account has never used Twilio. */
export const twilioFieldsOf = (settings: SmsSettings): TwilioFields => ({ ...NO_FIELDS, ...settings });

/** A sender that is not a number. The id of a messaging service is longer. */
const ALPHANUMERIC = /^(?=.*[A-Za-z])[A-Za-z\d +&_-]{1,11}$/;

/** New settings, and another account, need a token. */
function changeTwilio(current: SmsSettings | null, { twilio: change = {} }: TwilioChange, seal: Seal): TwilioFields {
  const stored = current ? twilioFieldsOf(current) : NO_FIELDS;
  const twilioAccountSid = change.accountSid ?? stored.twilioAccountSid;
  if (twilioAccountSid === null) throw DomainError.invalid('sms.twilio.accountSid is required');
  const keptToken = twilioAccountSid === stored.twilioAccountSid ? stored.sealedTwilioAuthToken : null;
  const sealedTwilioAuthToken = change.authToken === undefined ? keptToken : seal(change.authToken);
  if (sealedTwilioAuthToken === null)
    throw DomainError.invalid('sms.twilio.authToken is required for a new sms.twilio.accountSid');
  return { twilioAccountSid, sealedTwilioAuthToken, ...changeSender(stored, change) };
}

/** The sender that is given replaces the other one. */
function changeSender(
  { twilioFrom, twilioMessagingServiceSid }: TwilioFields,
  { from, messagingServiceSid }: NonNullable<TwilioChange['twilio']>,
): Pick<TwilioFields, 'twilioFrom' | 'twilioMessagingServiceSid'> {
  if (from && messagingServiceSid)
    throw DomainError.invalid('sms.twilio.from and sms.twilio.messagingServiceSid exclude each other');
  if (from) return { twilioFrom: parseSender(from), twilioMessagingServiceSid: null };
  if (messagingServiceSid) return { twilioFrom: null, twilioMessagingServiceSid: messagingServiceSid };
  return {
    twilioFrom: from === undefined ? twilioFrom : null,
    twilioMessagingServiceSid: messagingServiceSid === undefined ? twilioMessagingServiceSid : null,
  };
}

function parseSender(text: string): string {
  const sender = ALPHANUMERIC.test(text) ? text : normaliseSmsSender(text);
  if (sender !== null) return sender;
  throw DomainError.invalid(
    'sms.twilio.from must be a phone number in E.164 format or of 10 digits (US), a short code, or a name of up to 11 letters and digits',
  );
}

export const twilioSettings: SmsProviderSettings<SmsSettings, TwilioChange> = {
  fields: ['twilio'],
  secrets: ['sealedTwilioAuthToken'],
  /** The limit of a US long code, which is the lowest of all numbers. */
  initialRate: 1,
  change: changeTwilio,
  accountOf: ({ sms }) => (sms && twilioFieldsOf(sms).twilioAccountSid) ?? '',
};
