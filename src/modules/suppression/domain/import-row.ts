import { MAX_NOTE_LENGTH } from '../../../config/limits.js';
import { normaliseAddress } from '../../../shared/address.js';
import { type Suppression, SUPPRESSION_REASONS } from './suppression.js';

/** A row of an imported list, with its texts as given. */
export interface ImportRow {
  /** The last line of the row, from 1. */
  line: number;
  address: string;
  /** Empty if there is none. */
  reason: string;
  note: string;
}

/** The address is valid, in any spelling. */
export type RowCause = Pick<Suppression, 'channel' | 'address' | 'reason' | 'note'>;

/** Reads the cause of a suppression; `fault` names what is not valid. */
export function readRow({ address, reason: reasonText, note }: ImportRow): RowCause | { fault: string } {
  const channel = address.includes('@') ? 'email' : 'sms';
  if (normaliseAddress(channel, address) === null) {
    return { fault: 'address must be an email address or a phone number in E.164 format or of 10 digits (US)' };
  }
  const reason = reasonText === '' ? 'manual' : SUPPRESSION_REASONS.find((known) => known === reasonText);
  if (!reason) return { fault: `reason must be one of ${SUPPRESSION_REASONS.join(', ')}` };
  if (note.length > MAX_NOTE_LENGTH) return { fault: `note must not be longer than ${MAX_NOTE_LENGTH} characters` };
  if (note.includes('\0')) return { fault: 'note holds a character that cannot be stored' };
  return { channel, address, reason, note: note === '' ? null : note };
}
