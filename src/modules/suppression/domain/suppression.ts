import type { Channel } from '../../../shared/channel.js';
import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import { normalisePhone } from '../../../shared/phone-number.js';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual', 'sms_opt_out'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_SOURCES = ['one_click', 'form', 'provider', 'api', 'dashboard', 'import', 'sms_sync'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

export const MAX_NOTE_LENGTH = 500;

/** An address to suppress, and the cause. */
export interface AddressToSuppress {
  accountId: string;
  channel: Channel;
  /** In any spelling. */
  address: string;
  reason: SuppressionReason;
  source: SuppressionSource;
  note?: string | null;
  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId?: string | null;
  contactId?: string | null;
  campaignId?: string | null;
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
    const origin = { messageLogId, contactId, campaignId, createdAt: now };
    return Object.assign(new Suppression(), { id, accountId, channel, address, reason, source, note, ...origin });
  }
}

/** The form in which addresses are compared; null if the text is not an address of the channel. */
export function normaliseAddress(channel: Channel, text: string): string | null {
  if (channel === 'sms') return normalisePhone(text);
  return isEmailAddress(text) ? normaliseEmail(text) : null;
}
