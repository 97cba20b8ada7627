import type { ReportedType } from './evidence/reported.js';

interface About {
  recipient: string;
  messageId: string | null;
  providerMessageId: string;
  account: string;
  at: Date;
}

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export function sesEvent(type: ReportedType, { recipient, messageId, providerMessageId, account, at }: About): object {
  const timestamp = at.toISOString();
  const mail = {
    timestamp,
    messageId: providerMessageId,
    destination: [recipient],
    tags: { message_id: [messageId], account_id: [account] },
  };
  return { ...DETAILS[type](recipient, timestamp), mail };
}

const DETAILS: Record<ReportedType, (recipient: string, timestamp: string) => object> = {
  delivered: (recipient, timestamp) => ({
    eventType: 'Delivery',
    delivery: { timestamp, recipients: [recipient], smtpResponse: '250 ok' },
  }),
  bounced: (recipient, timestamp) => ({
    eventType: 'Bounce',
    bounce: { timestamp, bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: recipient }] },
  }),
  complained: (recipient, timestamp) => ({
    eventType: 'Complaint',
    complaint: { timestamp, complainedRecipients: [{ emailAddress: recipient }] },
  }),
  opened: (_, timestamp) => ({
    eventType: 'Open',
    open: { timestamp, ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  }),
};
