import { randomBytes } from 'node:crypto';

/** A message that Twilio has taken. */
export interface TwilioMessage {
  sid: string;
  accountSid: string;
  to: string;
  /** Null if the messaging service has not chosen one yet. */
  from: string | null;
  messagingServiceSid: string | null;
  body: string;
  statusCallback: string | null;
}

/** An error of the API: https://www.twilio.com/docs/api/errors */
export interface TwilioRefusal {
  status: number;
  code: number;
  message: string;
}

export const newSid = (prefix: 'SM' | 'AC' | 'MG'): string => `${prefix}${randomBytes(16).toString('hex')}`;

const refuse = (code: number, message: string, status = 400): TwilioRefusal => ({ status, code, message });

/** The checks of the Message resource that the service depends on. */
export function createMessage(
  accountSid: string,
  form: URLSearchParams,
  isOptedOut: (sender: string, recipient: string) => boolean,
): TwilioMessage | TwilioRefusal {
  const [to, from, messagingServiceSid] = ['To', 'From', 'MessagingServiceSid'].map((name) => form.get(name));
  const body = form.get('Body');
  if (!to) return refuse(21604, "A 'To' phone number is required.");
  if (!from && !messagingServiceSid) return refuse(21603, "A 'From' phone number is required.");
  if (!body) return refuse(21602, 'Message body is required.');
  if (body.length > 1_600) return refuse(21617, 'The concatenated message body exceeds the 1600 character limit');
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(21211, `The 'To' number ${to} is not a valid phone number.`);
  const statusCallback = form.get('StatusCallback');
  if (statusCallback !== null && !URL.canParse(statusCallback))
    return refuse(21609, `The 'StatusCallback' URL ${statusCallback} is not a valid URL.`);
  if (isOptedOut(from ?? messagingServiceSid ?? '', to))
    return refuse(21610, 'Attempt to send to unsubscribed recipient');
  return {
    ...{ sid: newSid('SM'), accountSid, to, body, statusCallback },
    ...{ from: from ?? null, messagingServiceSid: messagingServiceSid ?? null },
  };
}

/** The answer to a message that was taken. */
export const toJson = ({ sid, accountSid, to, from, messagingServiceSid, body }: TwilioMessage): string =>
  JSON.stringify({
    ...{ body, num_segments: '1', direction: 'outbound-api', from, to, date_updated: new Date().toUTCString() },
    ...{ price: null, error_message: null, account_sid: accountSid, num_media: '0', sid, error_code: null },
    ...{ uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`, price_unit: 'USD', date_sent: null },
    ...{ status: messagingServiceSid === null ? 'queued' : 'accepted', api_version: '2010-04-01' },
    ...{ messaging_service_sid: messagingServiceSid, date_created: new Date().toUTCString(), subresource_uris: {} },
  });

export const toErrorJson = ({ status, code, message }: TwilioRefusal): string =>
  JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
