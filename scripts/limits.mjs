// Writes the limits of src/config/limits.ts, which explains the form of its comments, to docs/operations.md. With
// `--check` it fails if the page differs.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, URL } from 'node:url';

import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const SOURCE = new URL('../src/config/limits.ts', import.meta.url);
const PAGE = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
const BLOCK = /(?<=<!-- npm run limits -->\n)[^]*(?=<!-- end -->)/;
const TIMES = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
];
const MEGABYTE = 1_000_000;

const grouped = (number) => number.toLocaleString('en-US');

function duration(ms) {
  const [length, unit] = ms === 0 ? [1, 's'] : TIMES.find(([divisor]) => ms % divisor === 0);
  return `${grouped(ms / length)} ${unit}`;
}

const UNITS = {
  MS: duration,
  SECONDS: (value) => duration(value * 1_000),
  HOURS: (value) => `${value} h`,
  DAYS: (value) => (value === 1 ? '1 day' : `${grouped(value)} days`),
  MONTHS: (value) => `${grouped(value)} months`,
  BYTES: (value) => (value % MEGABYTE === 0 ? `${value / MEGABYTE} MB` : `${grouped(value)} bytes`),
  MB: (value) => `${value} MB`,
  LENGTH: (value) => `${grouped(value)} characters`,
  PERCENT: (value) => `${value} %`,
};

function shown(name, value) {
  const [, unit, , period] = /_([A-Z]+?)(_PER_ACCOUNT)?(?:_PER_(SECOND|MINUTE|DAY))?$/.exec(name) ?? [];
  const write = UNITS[unit] ?? grouped;
  const rate = period ? ` a ${period.toLowerCase()}` : '';
  if (typeof value === 'number') return write(value) + rate;
  if (Array.isArray(value)) return value.map(write).join(', ');
  const { min, max, fallback } = value;
  if (min !== undefined) {
    const range = `\`${name}\`, ${write(min)} to ${write(max)}`;
    return fallback === undefined ? range : `${write(fallback)}${rate} (${range})`;
  }
  const words = (key) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.entries(value)
    .map(([key, entry]) => `${words(key)} ${write(entry)}`)
    .join(', ')
    .concat(rate);
}

const source = await readFile(SOURCE, 'utf8');
const { outputText } = ts.transpileModule(source, {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: 'es2022' },
});
const values = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const page = [];
for (const statement of ts.createSourceFile('limits.ts', source, ts.ScriptTarget.ES2022, true).statements) {
  const [declaration] = statement.declarationList.declarations;
  const name = declaration.name.text;
  if (!(name in values)) continue;
  for (const { kind, pos, end } of ts.getLeadingCommentRanges(source, statement.pos) ?? [])
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia)
      page.push(
        '',
        `### ${source.slice(pos + 2, end).trim()}`,
        '',
        '| Limit | Value | Reason |',
        '| --- | --- | --- |',
      );
  const comment = ts.getJSDocCommentsAndTags(statement).at(-1)?.comment;
  if (typeof comment !== 'string') throw new Error(`${name} has no doc comment`);
  const [, limit, reason] = /^([^]*?)\.(?:\s+([A-Z0-9`][^]*))?$/.exec(comment.replace(/\s+/g, ' ')) ?? [];
  if (limit === undefined) throw new Error(`The comment of ${name} is no sentence`);
  page.push(`| ${limit} | ${shown(name, values[name])} | ${reason ?? ''} |`);
}

const before = await readFile(PAGE, 'utf8');
if (!BLOCK.test(before)) throw new Error(`${PAGE} has no place for the limits`);
const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
const after = await format(
  before.replace(BLOCK, () => `${page.join('\n')}\n\n`),
  options,
);
if (!process.argv.includes('--check')) await writeFile(PAGE, after);
else if (after !== before) throw new Error('docs/operations.md is out of date: run npm run limits');
