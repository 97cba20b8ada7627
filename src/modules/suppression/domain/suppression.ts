import type { Channel } from '../../../shared/channel.js';
import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import { normalisePhone } from '../../../shared/phone-number.js';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual', 'sms_opt_out'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_SOURCES = ['one_click', 'form', 'provider', 'api', 'dashboard', 'import', 'sms_sync'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

export const MAX_NOTE_LENGTH = 500;

/** An address that is no longer to be sent to, and why. */
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
  /** What the receiving server said, of a bounce. */
  diagnosticCode?: string | null;
  /** As the mailbox provider names it, of a complaint. */
  feedbackType?: string | null;
}

/** An address that the account must not send to, whatever caused it. */
export class Suppression {
  id!: string;
  accountId!: string;
  channel!: Channel;
  /** In the form in which addresses are compared; empty once it was erased. */
  address!: string;
  reason!: SuppressionReason;
  source!: SuppressionSource;
  note!: string | null;
  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId!: string | null;
  contactId!: string | null;
  createdAt!: Date;

  /** Null for what is no address of its channel. */
  static create(id: string, cause: AddressToSuppress, now: Date): Suppression | null {
    const { accountId, channel, reason, source, note = null, messageLogId = null, contactId = null } = cause;
    const address = normaliseAddress(channel, cause.address);
    if (address === null) return null;
    const entry = { id, accountId, channel, address, reason, source, note, messageLogId, contactId, createdAt: now };
    return Object.assign(new Suppression(), entry);
  }
}

/** Whether the entry stays as it is when its recipient unsubscribes by one click from this message. */
export function isAtLeastUnsubscribed(
  { reason, source, messageLogId, address }: Suppression,
  messageId: string,
): boolean {
  if (address === '' || source === 'api' || source === 'dashboard' || source === 'import') return true;
  if (reason === 'bounced' || reason === 'complained') return true;
  if (reason !== 'unsubscribed' || messageLogId === null) return false;
  return messageLogId < messageId || (messageLogId === messageId && source === 'one_click');
}

/** The form in which addresses of the channel are compared; null for what is none. */
export function normaliseAddress(channel: Channel, text: string): string | null {
  if (channel === 'sms') return normalisePhone(text);
  return isEmailAddress(text) ? normaliseEmail(text) : null;
}
