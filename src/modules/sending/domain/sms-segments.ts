import { SegmentedMessage } from 'sms-segments-calculator';

import type { SmsEncoding } from '../../../shared/channel.js';

const UNITS_PER_UCS2_SEGMENT = 67;

export interface SegmentedSms {
  /** Parts in which the message is sent, each of which is charged. */
  segments: number;
  encoding: SmsEncoding;
  /** The distinct characters that GSM-7 lacks, in order. With any of them the whole message is in UCS-2. */
  ucs2Characters: string[];
}

/**
 * Splits a text, which must not be empty, into segments. A letter with its accents, or an emoji of several code points,
 * is not split between two segments where possible.
 */
export function segmentSms(body: string): SegmentedSms {
  const message = new SegmentedMessage(body);
  if (message.encodingName === 'GSM-7') {
    return { segments: message.segmentsCount, encoding: 'gsm7', ucs2Characters: [] };
  }
  const { segmentsCount } = message;
  // The calculator counts a sequence that is longer than a segment as if it fitted into one.
  const segments = segmentsCount === 1 ? 1 : Math.max(segmentsCount, Math.ceil(body.length / UNITS_PER_UCS2_SEGMENT));
  return { segments, encoding: 'ucs2', ucs2Characters: [...new Set(message.getNonGsmCharacters())] };
}
