/**
 * A cell of a CSV without the apostrophe that an export, ours too, writes before what a spreadsheet would take for a
 * formula, such as +14155550100.
 */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');

/** The text with an apostrophe before it where a spreadsheet would take it for a formula. */
export const escapeFormula = (text: string): string => text.replace(/^(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, "'");
