import type { SmsReply, SmsRequest } from '../../../../providers/index.js';

export interface NewReply extends Omit<SmsReply, 'request'> {
  id: string;
  /** The message that the reply answers, if the account has it. */
  previousMessageLogId: string | null;
  contactId: string | null;
  receivedAt: Date;
  /** The request in the reply, if it counts or its time by the provider's clock is not known. */
  request: SmsRequest | null;
  /** The time when it was sent, by the provider's clock; null if that is not known. */
  requestedAt: Date | null;
}

/** Replies of SMS recipients. */
export abstract class Replies {
  /**
   * Joins the running transaction. Returns false if the reply is stored already; waits for a concurrent call with the
   * same.
   */
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
   * Purges texts, and then whole replies, at the ages at which messages and their texts are purged. Of requests without
   * a time, which may be repeated at any age, the provider's id is kept.
   */
  abstract expireAcrossAccounts(): Promise<void>;
}
