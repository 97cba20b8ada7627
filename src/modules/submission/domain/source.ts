import type { Part } from './mime/mime-parts.js';
import { Refusal } from './refusal.js';

/** What the service sets itself, and what must not be passed on. */
const REPLACED = /^(?:from|to|cc|message-id|sender|return-path|bcc|resent-bcc|(?:dkim|arc)-.*)$/;
/** RFC 5321 §4.5.3.1.6: relays break longer lines, or refuse them. */
const MAX_LINE_BYTES = 998;

/**
 * The mail as it is sent below the headers of the service: without those that it replaces, and without `removed` ones.
 * Changes the beginning of `mail`, so that the rest needs no copy.
 */
export function sourceOf(
  mail: Buffer,
  { fields, start: bodyStart }: Part,
  longestLine: number,
  removed: (name: string) => boolean,
): Buffer {
  if (longestLine > MAX_LINE_BYTES) throw new Refusal(554, `The mail has a line of more than ${MAX_LINE_BYTES} bytes`);
  const kept = fields.filter(({ name }) => !REPLACED.test(name) && !removed(name));
  const header = [...kept.map(({ text }) => text), '', ''].join('\r\n');
  const start = bodyStart - header.length;
  mail.write(header, start, 'latin1');
  return mail.subarray(start);
}
