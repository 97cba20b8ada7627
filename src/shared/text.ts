const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * The form in which text is compared regardless of case: composed (NFC) and in lower case. It is composed twice because
 * `J` with a caron is a single character in lower case only.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

const BREAKS_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/** Whether the text has no control characters, line breaks included, and so is safe in a header or a log line. */
export const isSingleLine = (text: string): boolean => !BREAKS_A_LINE.test(text);
