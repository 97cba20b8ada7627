import type { EmailRequest } from '../../sending/content.js';

/** The settings of the installation for mails. */
export interface MailRules {
  /** The word in the names of the service's headers. */
  brand: string;
  /** Whether an unsubscribe URL may be http. */
  allowsHttp: boolean;
  maxAttachmentsMb: number;
}

/** A mail as a request to send it. */
export type MailRequest = Omit<EmailRequest, 'accountId' | 'apiKeyId' | 'keyLimit'> &
  Required<Pick<EmailRequest, 'submitted'>>;

/** The content that the mail shows: the fields of a send, or the mail as it came. */
export type MailContent = Pick<MailRequest, 'replyTo' | 'subject' | 'html' | 'text' | 'attachments' | 'headers'> &
  Pick<MailRequest['submitted'], 'visible' | 'source'>;
