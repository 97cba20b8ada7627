import type { SmsReply } from '../../domain/sms-reply.js';

export interface NewReply extends SmsReply {
  id: string;
  /** The message that it answers, if the account has it. */
  previousMessageLogId: string | null;
  contactId: string | null;
  receivedAt: Date;
}

/** What recipients of SMS wrote back. */
export abstract class Replies {
  /** Within the running transaction: false if the account has it already. Waits for a call that adds the same one. */
  abstract add(accountId: string, reply: NewReply): Promise<boolean>;

  /** Purges texts as those of messages are, and forgets the replies themselves when messages of their age are. */
  abstract expireAcrossAccounts(now: Date): Promise<void>;
}
