/**
 * Removes the apostrophe that exports, including ours, put before text that a spreadsheet would take for a formula,
 * such as +14155550100.
 */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');

/** Puts an apostrophe before text that a spreadsheet would take for a formula. */
export const escapeFormula = (text: string): string => text.replace(/^(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, "'");
