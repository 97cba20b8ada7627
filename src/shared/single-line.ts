const BREAKS_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/** Without line breaks and other control characters: safe in a header, a log line and a protocol command. */
export const isSingleLine = (text: string): boolean => !BREAKS_A_LINE.test(text);
