import type { Actor } from '../../../shared/actor.js';
import { normaliseAddress } from '../../../shared/address.js';
import type { Channel } from '../../../shared/channel.js';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual', 'sms_opt_out'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_SOURCES = ['one_click', 'form', 'provider', 'api', 'dashboard', 'import', 'sms_sync'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** An address to suppress, and the cause. */
export interface AddressToSuppress {
  accountId: string;
  channel: Channel;
  /** In any spelling. */
  address: string;
  reason: SuppressionReason;
  source: SuppressionSource;
  note?: string | null;
  /** Taken from a list that was uploaded: whatever the reason, what happened to the recipient happened elsewhere. */
  isFromList?: boolean;
  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId?: string | null;
  contactId?: string | null;
  campaignId?: string | null;
  /**
   * The person or service that acted. Default: the recipient, where the source reports acts of recipients, else the
   * service.
   */
  actor?: Actor;
  /** The client with which the recipient acted, if it is known. */
  ip?: string | null;
  userAgent?: string | null;
  /** Set for bounces only: the response of the receiving server. */
  diagnosticCode?: string | null;
  /** Set for complaints only: the type as the mailbox provider reports it. */
  feedbackType?: string | null;
}

/** An address that the account must not send to. */
export class Suppression {
  id!: string;
  accountId!: string;
  channel!: Channel;
  /** Normalised; empty once it has been erased. */
  address!: string;
  /** An email address as it was given first; otherwise the same as `address`. */
  givenAddress!: string;
  reason!: SuppressionReason;
  source!: SuppressionSource;
  note!: string | null;
  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId!: string | null;
  contactId!: string | null;
  /** The campaign of that message. */
  campaignId!: string | null;
  createdAt!: Date;

  /** Null if the address is not valid in its channel. */
  static create(id: string, cause: AddressToSuppress, now: Date): Suppression | null {
    const { accountId, channel, reason, source, note = null, messageLogId = null } = cause;
    const { contactId = null, campaignId = null } = cause;
    const address = normaliseAddress(channel, cause.address);
    if (address === null) return null;
    const givenAddress = channel === 'email' ? cause.address.trim() : address;
    const origin = { givenAddress, messageLogId, contactId, campaignId, createdAt: now };
    return Object.assign(new Suppression(), { id, accountId, channel, address, reason, source, note, ...origin });
  }
}
