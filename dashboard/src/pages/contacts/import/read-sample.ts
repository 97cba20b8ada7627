const SAMPLE_BYTES = 65_536;
const SAMPLE_ROWS = 20;
const DELIMITERS = [',', ';', '\t'];

/** The header and the first rows of a CSV file, trimmed as the service trims them. */
export interface Sample {
  header: string[];
  rows: string[][];
}

/** Reads only the first 64 KB of the file. Returns null for a file without a header. */
export async function readSample(file: File): Promise<Sample | null> {
  const isWhole = file.size <= SAMPLE_BYTES;
  const text = await file.slice(0, SAMPLE_BYTES).text(); // drops a byte order mark
  const rows = parse(text, delimiterOf(text));
  if (!isWhole) rows.pop(); // the last row may be truncated
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

/** Matches one quoted or plain cell and its terminator at a time. */
function parse(text: string, delimiter: string): string[][] {
  const cell = new RegExp(
    `[^\\S\\r\\n\\t]*(?:"((?:[^"]|"")*)"[^\\S\\r\\n\\t]*|([^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const rows: string[][] = [];
  let row: string[] = [];
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain = '', end = ''] = match;
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === delimiter) continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex >= text.length) break;
  }
  return rows;
}
