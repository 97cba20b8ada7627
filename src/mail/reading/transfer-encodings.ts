export const TRANSFER_ENCODINGS = ['7bit', '8bit', 'binary', 'base64', 'quoted-printable'] as const;
export type TransferEncoding = (typeof TRANSFER_ENCODINGS)[number];

/** The number of bytes that are decoded at a time, by way of a string. */
const PIECE_BYTES = 65_536;
const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** A table of bytes: 1 for a digit of base64. */
const BASE64_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) =>
  BASE64_ALPHABET.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * Decodes the bytes into their own memory, as decoded bytes are never longer: a mail may have many megabytes, of which
 * only one copy is kept.
 */
export function decodeInPlace(bytes: Buffer, encoding: TransferEncoding): Buffer {
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(bytes);
  return encoding === 'base64' ? decodeBase64InPlace(bytes) : bytes;
}

/** Ignores white space and foreign characters (RFC 2045 §6.8), and ends at the padding. */
function decodeBase64InPlace(bytes: Buffer): Buffer {
  let [from, to, end] = [0, 0, 0];
  while (from < bytes.length) {
    // What is left of the previous piece are at most three digits, from `end` to `to`.
    for (const until = Math.min(from + PIECE_BYTES, bytes.length); from < until; from++) {
      const byte = bytes[from] ?? 0;
      if (byte === EQUALS) from = bytes.length;
      else if (BASE64_DIGITS[byte] === 1) bytes[to++] = byte;
    }
    const whole = from < bytes.length ? to - ((to - end) % 4) : to;
    const left = bytes.toString('latin1', whole, to);
    end += bytes.write(bytes.toString('latin1', end, whole), end, 'base64');
    to = end + bytes.write(left, end, 'latin1');
  }
  return bytes.subarray(0, end);
}

/** Whether decoding loses nothing: only the alphabet and white space, padding only at the end, no part of a byte. */
export function isWholeBase64(bytes: Buffer): boolean {
  let [length, isPadded] = [0, false];
  for (const byte of bytes) {
    if (byte === EQUALS) isPadded = true;
    else if (BASE64_DIGITS[byte] === 1 && !isPadded) length += 1;
    else if (byte !== SPACE && byte !== TAB && byte !== CR && byte !== LF) return false;
  }
  return length % 4 !== 1;
}

/** Decodes quoted-printable in place. An invalid escape stays as it is (RFC 2045 §6.7). */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  let written = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const softBreak = byte === EQUALS ? softBreakAt(bytes, i + 1) : 0;
    if (softBreak > 0) i += softBreak;
    else {
      const value = byte === EQUALS ? hexAt(bytes, i + 1) : NaN;
      if (value >= 0) i += 2;
      bytes[written++] = value >= 0 ? value : byte;
    }
  }
  return bytes.subarray(0, written);
}

const hexAt = (bytes: Buffer, i: number): number => (HEX[bytes[i] ?? 0] ?? NaN) * 16 + (HEX[bytes[i + 1] ?? 0] ?? NaN);

/** The length of a soft line break after its `=`, with the white space before it; 0 if there is none. */
function softBreakAt(bytes: Buffer, start: number): number {
  let i = start;
  while (bytes[i] === SPACE || bytes[i] === TAB) i++;
  if (i >= bytes.length) return i - start || 1;
  return bytes[i] === CR && bytes[i + 1] === LF ? i + 2 - start : 0;
}

const HEX: Readonly<Record<number, number>> = Object.fromEntries(
  [...'0123456789abcdefABCDEF'].map((digit) => [digit.charCodeAt(0), parseInt(digit, 16)]),
);
