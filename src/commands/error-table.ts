import { ERROR_CODES } from '../shared/error-codes.js';

const TABLE = /^\| code .*\n(?:\|.*\n)*/m;

/** The page with its table of error codes replaced by one of ERROR_CODES, formatted as Prettier does. */
export function withErrorTable(page: string): string {
  if (!TABLE.test(page)) throw new Error('The page has no table of error codes');
  return page.replace(TABLE, () => tableOf(['code', 'status', 'when', 'a message'], rows()));
}

const rows = (): string[][] =>
  Object.entries(ERROR_CODES).map(([code, { statuses, description, example }]) => [
    `\`${code}\``,
    statuses.join(', '),
    description,
    `\`${example}\``,
  ]);

function tableOf(header: string[], body: string[][]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...body].map((row) => (row[column] ?? '').length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return [header, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('');
}
