/**
 * A cell of a CSV without the apostrophe that an export, ours too, writes before what a spreadsheet would take for a
 * formula, such as +14155550100.
 */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');
