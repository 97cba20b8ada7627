const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * The form in which text is compared regardless of case: composed (NFC) and in lower case. It is composed twice because
 * `J` with a caron is a single character in lower case only.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

const CONTROL_CHARACTER_OR_LINE_BREAK = /[\p{Cc}\u2028\u2029]/u;

/** Whether the text has no control characters, line breaks included, and so is safe in a header or a log line. */
export const isSingleLine = (text: string): boolean => !CONTROL_CHARACTER_OR_LINE_BREAK.test(text);

/**
 * Removes the apostrophe that exports, including ours, put before text that a spreadsheet would interpret as a formula,
 * such as +14155550100.
 */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');

/** Puts an apostrophe before text that a spreadsheet would interpret as a formula. */
export const escapeFormula = (text: string): string => text.replace(/^(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, "'");

/**
 * A PostgreSQL regular expression for an address as a whole in lower-case text: it finds ann@x.example neither in
 * joann@x.example nor in ann@x.example.org.
 */
export const mentionPattern = (email: string): string =>
  `(?<![[:alnum:]._%+-])${email.replace(/[!-/:-@[-`{-~]/g, '\\$&')}(?![[:alnum:]_-]|\\.[[:alnum:]])`;

/** The number of characters of the bodies of a mail together. */
export const bodyLength = ({ html, text }: { html: string | null; text: string | null }): number =>
  (html?.length ?? 0) + (text?.length ?? 0);
