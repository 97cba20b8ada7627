import type { EventType } from '../../shared/event-types.js';
import { type Fields, fieldsOf, idOf, listOf, lookUp, omitNullish, textOf, timeOf } from '../events/fields.js';
import { bounceTypeOf, type ProviderEvent, timeKey, unknownEvent } from '../events/provider-event.js';
import { requireFewEvents } from '../events/read-json.js';

/** A recipient in a notification, with the fields about that recipient only. */
interface ReportedRecipient {
  recipient: string | null;
  data: Fields;
}

interface Kind {
  type: EventType | 'suppressed';
  /** The key of the notification's details. */
  body: string;
  recipients: (body: Fields, mail: Fields) => ReportedRecipient[];
  data: (body: Fields) => Fields;
}

const noData = (): Fields => ({});
const toDestination = (_: Fields, mail: Fields): ReportedRecipient[] =>
  listOf(mail.destination).map((address) => ({ recipient: textOf(address), data: {} }));
const inList =
  (name: string) =>
  (body: Fields): ReportedRecipient[] =>
    listOf(body[name]).map((entry) => {
      const { emailAddress, status, action, diagnosticCode } = fieldsOf(entry);
      return { recipient: textOf(emailAddress), data: { status, action, diagnosticCode } };
    });

/**
 * Event publishing (`eventType`) and feedback notifications (`notificationType`) have the same format:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const KINDS: Readonly<Record<string, Kind>> = {
  Send: { type: 'sent', body: 'send', recipients: toDestination, data: noData },
  Delivery: {
    type: 'delivered',
    body: 'delivery',
    recipients: ({ recipients }) => listOf(recipients).map((address) => ({ recipient: textOf(address), data: {} })),
    data: ({ smtpResponse, reportingMTA, processingTimeMillis }) => ({
      smtpResponse,
      reportingMta: reportingMTA,
      processingTimeMillis,
    }),
  },
  Bounce: { type: 'bounced', body: 'bounce', recipients: inList('bouncedRecipients'), data: bounceData },
  Complaint: {
    type: 'complained',
    body: 'complaint',
    recipients: inList('complainedRecipients'),
    data: ({ complaintFeedbackType, complaintSubType, userAgent, arrivalDate }) => ({
      feedbackType: complaintFeedbackType,
      complaintSubType,
      userAgent,
      arrivalDate,
    }),
  },
  DeliveryDelay: {
    type: 'delayed',
    body: 'deliveryDelay',
    recipients: inList('delayedRecipients'),
    data: ({ delayType, expirationTime, reportingMTA }) => ({ delayType, expirationTime, reportingMta: reportingMTA }),
  },
  Reject: {
    type: 'failed',
    body: 'reject',
    recipients: toDestination,
    data: ({ reason }) => ({ reason: 'rejected', detail: reason }),
  },
  'Rendering Failure': {
    type: 'failed',
    body: 'failure',
    recipients: toDestination,
    data: ({ errorMessage, templateName }) => ({ reason: 'rendering_failure', detail: errorMessage, templateName }),
  },
  Open: {
    type: 'opened',
    body: 'open',
    recipients: toDestination,
    data: ({ ipAddress, userAgent }) => ({ ip: ipAddress, userAgent }),
  },
  Click: {
    type: 'clicked',
    body: 'click',
    recipients: toDestination,
    data: ({ link, ipAddress, userAgent }) => ({ url: link, ip: ipAddress, userAgent }),
  },
  Subscription: {
    type: 'suppressed',
    body: 'subscription',
    recipients: toDestination,
    data: ({ contactList, source }) => ({ providerSuppression: 'unsubscribed', contactList, source }),
  },
};

/** Only `Permanent` bounces are hard. `UnsubscribedRecipient` means that the recipient unsubscribed in SES. */
function bounceData({ bounceType, bounceSubType, reportingMTA, remoteMtaIp }: Fields): Fields {
  return {
    bounceType: bounceTypeOf(bounceType),
    bounceSubType,
    reportingMta: reportingMTA,
    remoteMtaIp,
    providerSuppression: bounceSubType === 'UnsubscribedRecipient' ? 'unsubscribed' : undefined,
  };
}

/** Parses a notification: one event per recipient, and at least one. Throws `invalid` for too many. */
export function parseSesEvent(notification: Fields): ProviderEvent[] {
  const kindName = textOf(notification.eventType) ?? textOf(notification.notificationType);
  const kind = lookUp(KINDS, kindName);
  const mail = fieldsOf(notification.mail);
  const body = fieldsOf(kind && notification[kind.body]);
  const occurredAt = timeOf(body.timestamp) ?? timeOf(mail.timestamp);
  const providerMessageId = textOf(mail.messageId);
  const tags = fieldsOf(mail.tags);
  const messageId = idOf(listOf(tags.message_id)[0]);
  const reference = { messageId, providerMessageId, occurredAt };
  if (!kind || !(messageId ?? providerMessageId) || !isRelevant(kindName, body))
    return [unknownEvent(kindName, notification, reference)];

  const recipients = kind.recipients(body, mail);
  requireFewEvents(recipients);
  const common = { ...kind.data(body) };
  return (recipients.length > 0 ? recipients : [{ recipient: null, data: {} }]).map(({ recipient, data }) => ({
    ...reference,
    type: kind.type,
    ownerId: idOf(listOf(tags.account_id)[0]),
    recipient,
    data: omitNullish({ ...common, ...data }),
    identity: [
      providerMessageId ?? '',
      kindName ?? '',
      recipient ?? '',
      textOf(body.feedbackId) ?? timeKey(occurredAt),
      ...[common.url, common.ip, common.userAgent].map((value) => textOf(value) ?? ''),
    ],
  }));
}

/** A subscription change matters only if the recipient left all topics of the list in SES. */
const isRelevant = (kindName: string | null, { newTopicPreferences }: Fields): boolean =>
  kindName !== 'Subscription' || fieldsOf(newTopicPreferences).unsubscribeAll === true;
