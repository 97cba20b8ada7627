/** Letters that are written from right to left, and characters that change the direction of text. */
const CHANGES_DIRECTION =
  /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Keeps a value from changing the direction of the text around it, also if it contains the end of an isolate. */
export function isolate(value: string): string {
  if (!CHANGES_DIRECTION.test(value)) return value;
  const ends = value.split(POP_ISOLATE).length;
  return `${FIRST_STRONG_ISOLATE.repeat(ends)}${value}${POP_ISOLATE.repeat(ends)}`;
}
