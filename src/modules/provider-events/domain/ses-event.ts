import type { EventType } from '../../../shared/event-types.js';
import { type Fields, fieldsOf, idOf, listOf, meaningOf, present, textOf, timeOf } from './fields.js';
import { bounceTypeOf, type ProviderEvent, timeKey, unknownEvent } from './provider-event.js';

/** A recipient as a notification names it, and what it says of them alone. */
interface Told {
  recipient: string | null;
  data: Fields;
}

interface Kind {
  type: EventType | 'suppressed';
  /** The part of the notification that says more. */
  body: string;
  recipients: (body: Fields, mail: Fields) => Told[];
  data: (body: Fields) => Fields;
}

const nothing = (): Fields => ({});
const toDestination = (_: Fields, mail: Fields): Told[] =>
  listOf(mail.destination).map((address) => ({ recipient: textOf(address), data: {} }));
const inList =
  (name: string) =>
  (body: Fields): Told[] =>
    listOf(body[name]).map((entry) => {
      const { emailAddress, status, action, diagnosticCode } = fieldsOf(entry);
      return { recipient: textOf(emailAddress), data: { status, action, diagnosticCode } };
    });

/**
 * Event publishing (`eventType`) and feedback notifications (`notificationType`) word the same facts alike:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const KINDS: Readonly<Record<string, Kind>> = {
  Send: { type: 'sent', body: 'send', recipients: toDestination, data: nothing },
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

/** Only `Permanent` bounces are hard. One of them says that SES itself knew the recipient as unsubscribed. */
function bounceData({ bounceType, bounceSubType, reportingMTA, remoteMtaIp }: Fields): Fields {
  return {
    bounceType: bounceTypeOf(bounceType),
    bounceSubType,
    reportingMta: reportingMTA,
    remoteMtaIp,
    providerSuppression: bounceSubType === 'UnsubscribedRecipient' ? 'unsubscribed' : undefined,
  };
}

/** What SES says in one notification: an event for each recipient that it names, of which there are one or more. */
export function parseSesEvent(notification: Fields): ProviderEvent[] {
  const kindName = textOf(notification.eventType) ?? textOf(notification.notificationType);
  const kind = meaningOf(KINDS, kindName);
  const mail = fieldsOf(notification.mail);
  const body = fieldsOf(kind && notification[kind.body]);
  const occurredAt = timeOf(body.timestamp) ?? timeOf(mail.timestamp);
  const providerMessageId = textOf(mail.messageId);
  const tags = fieldsOf(mail.tags);
  const messageId = idOf(listOf(tags.message_id)[0]);
  const named = { messageId, providerMessageId, occurredAt };
  if (!kind || !(messageId ?? providerMessageId) || !isNews(kindName, body))
    return [unknownEvent(kindName, notification, named)];

  const told = kind.recipients(body, mail);
  const common = { ...kind.data(body) };
  return (told.length > 0 ? told : [{ recipient: null, data: {} }]).map(({ recipient, data }) => ({
    ...named,
    type: kind.type,
    ownerId: idOf(listOf(tags.account_id)[0]),
    recipient,
    data: present({ ...common, ...data }),
    knownBy: [
      providerMessageId ?? '',
      kindName ?? '',
      recipient ?? '',
      textOf(body.feedbackId) ?? timeKey(occurredAt),
      ...[common.url, common.ip, common.userAgent].map((value) => textOf(value) ?? ''),
    ],
  }));
}

/** Who leaves one topic of a list in SES still wants the other mail; only who leaves all of them is unsubscribed here. */
const isNews = (kindName: string | null, { newTopicPreferences }: Fields): boolean =>
  kindName !== 'Subscription' || fieldsOf(newTopicPreferences).unsubscribeAll === true;
