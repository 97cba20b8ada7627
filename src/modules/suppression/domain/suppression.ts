import type { Channel } from '../../../shared/channel.js';
import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import { normalisePhone } from '../../../shared/phone-number.js';

export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained', 'manual', 'sms_opt_out'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_SOURCES = ['one_click', 'form', 'provider', 'api', 'dashboard', 'import', 'sms_sync'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

export const MAX_NOTE_LENGTH = 500;

/** An address that the account must not send to, whatever caused it. */
export class Suppression {
  id!: string;
  accountId!: string;
  channel!: Channel;
  /** In the form in which addresses are compared. */
  address!: string;
  reason!: SuppressionReason;
  source!: SuppressionSource;
  note!: string | null;
  /** The message that bounced, was complained about or unsubscribed from. */
  messageLogId!: string | null;
  contactId!: string | null;
  createdAt!: Date;

  static create(
    id: string,
    accountId: string,
    cause: Pick<Suppression, 'channel' | 'address' | 'reason' | 'source' | 'note'>,
    now: Date,
  ): Suppression {
    return Object.assign(new Suppression(), {
      id,
      accountId,
      ...cause,
      messageLogId: null,
      contactId: null,
      createdAt: now,
    });
  }
}

/** The form in which addresses of the channel are compared; null for what is none. */
export function normaliseAddress(channel: Channel, text: string): string | null {
  if (channel === 'sms') return normalisePhone(text);
  return isEmailAddress(text) ? normaliseEmail(text) : null;
}
