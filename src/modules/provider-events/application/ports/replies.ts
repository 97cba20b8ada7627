import type { SmsReply, SmsRequest } from '../../../../providers/index.js';

export interface NewReply extends Omit<SmsReply, 'request'> {
  id: string;
  /** The message that the reply answers, if the account has it. */
  previousMessageLogId: string | null;
  contactId: string | null;
  receivedAt: Date;
  /** What it asks for, if that counts, or the provider's time of it is not known. */
  request: SmsRequest | null;
  /** When it was sent, by the provider's clock; null if that is not known. */
  requestedAt: Date | null;
}

/** Replies of SMS recipients. */
export abstract class Replies {
  /** Within the running transaction. Returns false if the reply is stored already; waits for a concurrent same call. */
  abstract add(accountId: string, reply: NewReply): Promise<boolean>;

  /**
   * Whether the number has sent the opposite request later, or STOP at the same time as START, by the provider's clock.
   */
  abstract isOverruled(
    accountId: string,
    request: { request: SmsRequest; from: string; sentAt: Date },
  ): Promise<boolean>;

  /** Whether STOP is what the number has asked for last before this time, by the provider's clock. */
  abstract isStoppedBefore(accountId: string, from: string, sentAt: Date): Promise<boolean>;

  /**
   * Purges texts, and then whole replies, at the ages at which those of messages are purged. Of requests without a
   * time, which may be repeated at any age, the provider's id is kept.
   */
  abstract expireAcrossAccounts(): Promise<void>;
}
