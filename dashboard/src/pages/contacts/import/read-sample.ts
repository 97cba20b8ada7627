const SAMPLE_BYTES = 65_536;
const SAMPLE_ROWS = 20;
const DELIMITERS = [',', ';', '\t'];

/** The header and the first rows of a CSV, trimmed, as the service reads them. */
export interface Sample {
  header: string[];
  rows: string[][];
}

/** Looks at the beginning of the file only, however large it is. Null for a file without a header. */
export async function readSample(file: File): Promise<Sample | null> {
  const isWhole = file.size <= SAMPLE_BYTES;
  const text = await file.slice(0, SAMPLE_BYTES).text(); // without a byte order mark
  const rows = parse(text, delimiterOf(text));
  if (!isWhole) rows.pop(); // cut off
  const [header, ...rest] = rows.filter((row) => row.some((cell) => cell !== ''));
  return header ? { header, rows: rest.slice(0, SAMPLE_ROWS) } : null;
}

function delimiterOf(text: string): string {
  const [header = ''] = text
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most));
}

/** A cell, in quotes or not, and what ends it. */
function parse(text: string, delimiter: string): string[][] {
  const cell = new RegExp(
    `[^\\S\\r\\n\\t]*(?:"((?:[^"]|"")*)"[^\\S\\r\\n\\t]*|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const rows: string[][] = [];
  let row: string[] = [];
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain = '', end = ''] = found;
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === delimiter) continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex >= text.length) break;
  }
  return rows;
}
