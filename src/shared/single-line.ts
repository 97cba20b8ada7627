const BREAKS_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/** Whether the text has no control characters, line breaks included, and so is safe in a header or a log line. */
export const isSingleLine = (text: string): boolean => !BREAKS_A_LINE.test(text);
