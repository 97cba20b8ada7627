// Lists the licences of what the service is shipped with: `npm run licences` writes docs/licences.md, `--check` fails if
// it says something else. Either fails where a licence is unknown or not among those that ask for no more than a notice.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { URL } from 'node:url';

const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
];

const root = new URL('../', import.meta.url);
const FILE = new URL('docs/licences.md', root);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/** Those that are installed without `--omit=dev`'s part, on any platform. */
const shipped = Object.entries(read('package-lock.json').packages).filter(
  ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
);

/** As the package itself says; as the lock says of one for another platform, which is not installed here. */
function licenceOf([path, locked]) {
  const { license, licenses } = existsSync(new URL(`${path}/package.json`, root))
    ? read(`${path}/package.json`)
    : locked;
  const named = license ?? licenses?.map(({ type }) => type).join(' OR ');
  return (typeof named === 'object' ? named.type : named) ?? 'unknown';
}

/** Of alternatives one has to be allowed, of licences that hold together each. */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((together) => together.split(' AND ').every((licence) => ALLOWED.includes(licence)));

const packagesOf = new Map();
for (const entry of shipped) {
  const name = entry[0].split('node_modules/').at(-1);
  const licence = licenceOf(entry);
  packagesOf.set(licence, (packagesOf.get(licence) ?? new Set()).add(name));
}

const refused = [...packagesOf].filter(([licence]) => !isAllowed(licence));
for (const [licence, names] of refused) console.error(`${licence} is not allowed: ${[...names].join(', ')}`);

const sections = [...packagesOf]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(
    ([licence, names]) =>
      `## ${licence}\n\n${[...names]
        .sort()
        .map((name) => `- ${name}`)
        .join('\n')}\n`,
  );
const page = `# Licences

Of the packages that the service is shipped with, on any platform; development tools are not among them.
\`npm run licences\` writes this page, \`npm run check\` compares it.

${sections.join('\n')}`;

const isCheck = process.argv.includes('--check');
const isCurrent = isCheck && existsSync(FILE) && readFileSync(FILE, 'utf8') === page;
if (isCheck && !isCurrent) console.error('docs/licences.md is out of date: run npm run licences');
if (!isCheck) writeFileSync(FILE, page);
process.exitCode = refused.length > 0 || (isCheck && !isCurrent) ? 1 : 0;
