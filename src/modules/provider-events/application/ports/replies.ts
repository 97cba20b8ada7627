import type { SmsReply } from '../../../../providers/index.js';

export interface NewReply extends SmsReply {
  id: string;
  /** The message that the reply answers, if the account has it. */
  previousMessageLogId: string | null;
  contactId: string | null;
  receivedAt: Date;
}

/** Replies of SMS recipients. */
export abstract class Replies {
  /** Within the running transaction. Returns false if the reply is stored already; waits for a concurrent same call. */
  abstract add(accountId: string, reply: NewReply): Promise<boolean>;

  /** Purges texts, and then whole replies, at the ages at which those of messages are purged. */
  abstract expireAcrossAccounts(): Promise<void>;
}
