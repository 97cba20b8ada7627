import type { RawMail } from '../../mail/writing/mail-content.js';
import type { Tracking } from '../../shared/account-provider.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';

/** The access of an account to a provider: its current settings, with secrets in clear. */
export interface Connection {
  /** The name of the provider. */
  kind: string;
  /** The time of the last change to the account's settings. */
  settingsAt: Date;
}

export interface MailConnection extends Connection {
  tracking: Tracking;
  /** Whether only recipients with a consent are tracked. Absent: all are. */
  asksToTrack?: boolean;
}

export interface TextConnection extends Connection {
  /** The number that messages come from. Nothing can be sent while this is null. */
  originationNumber: string | null;
}

export interface ProviderReceipt {
  /** The name of the provider. */
  provider: string;
  providerMessageId: string;
  /** The provider's reply when it accepted the message. */
  response: string;
}

/** A mail to one recipient, composed, and signed unless the provider signs it. */
export interface EmailSubmission {
  id: string;
  accountId: string;
  mail: RawMail;
  /** Bulk mail leaves some of the connections to other mail. */
  isBulk: boolean;
}

export interface SmsSubmission {
  id: string;
  accountId: string;
  /** The number in E.164. */
  recipient: string;
  sender: string;
  text: string;
}

/**
 * Submits a message: waits for a free connection, runs the check, and begins immediately after it. Resolves once the
 * provider has accepted the message. Throws the error of the check, or one of the errors of `delivery-error.ts` with
 * the provider's own words, which contain no secret.
 */
export interface SendsEmail<C> {
  sendEmail(email: EmailSubmission, connection: C, check: SubmissionCheck): Promise<ProviderReceipt>;
}

/** Submits an SMS as `SendsEmail` submits a mail. */
export interface SendsSms<C> {
  sendSms(sms: SmsSubmission, connection: C, check: SubmissionCheck): Promise<ProviderReceipt>;
}

/** Headers for the provider, which it returns in its events or which switch its own tracking. */
export interface AddsHeaders<C> {
  headersFor(connection: C, messageId: string): Record<string, string>;
}

export interface SendingLimit {
  /** Messages per second: at least 0.1, and finite. */
  rate: number;
  /** Accounts with the same key share the limit. */
  key: string;
}

/** Without this capability, an account may submit as fast as the provider accepts. */
export interface LimitsRate<C> {
  /** Null if there is no limit. */
  limitOf(connection: C, accountId: string): Promise<SendingLimit | null> | SendingLimit | null;
}

/** Provided if the provider also carries the service's own mail, such as the links that verify senders. */
export interface RelaysMail<C> {
  /** The operator's relay, or null. */
  readonly installationRelay: SmtpRelay | null;
  relayOf(connection: C): SmtpRelay;
}

export interface ChecksConnection<C> {
  /** Connects and signs in, without sending anything. Returns the fault, or null. Never throws. */
  findFault(connection: C): Promise<string | null>;
}
