// Lists the licences of the packages that the service ships. `npm run licences` writes docs/licences.md, `--check`
// fails if it differs. Both fail if a licence is unknown or requires more than a notice.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const locked = read('package-lock.json').packages;

/** Production dependencies, on any platform. */
const installed = Object.keys(locked).filter((path) => {
  const { dev, devOptional, link } = locked[path];
  return path.includes('node_modules/') && !dev && !devOptional && !link;
});

/** Resolves a name as Node does: in the package's own node_modules, or in those of the directories above. */
function resolve(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at}/node_modules/${name}`.replace(/^\//, '');
    if (locked[path] || at === '') return path;
  }
}

/** Packages built into the dashboard: those that its sources import, and their dependencies. */
function bundled() {
  const sources = readdirSync(new URL('dashboard/src', root), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'))
    .join('\n');
  const isImported = (name) => new RegExp(`(from|import) '${name}['/]`).test(sources);
  const found = new Set();
  const add = (path) => {
    if (!locked[path] || found.has(path) || path.includes('node_modules/@types/')) return;
    found.add(path);
    const { dependencies, peerDependencies, peerDependenciesMeta } = locked[path];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) add(resolve(name, path));
  };
  const { devDependencies } = locked.dashboard;
  for (const name of Object.keys(devDependencies).filter(isImported)) add(resolve(name, 'dashboard'));
  return found;
}

const shipped = new Set([...installed, ...bundled()]);

/** From package.json, or from the lock file for packages of other platforms, which are not installed here. */
function licenceOf(path) {
  const { license, licenses } = existsSync(new URL(`${path}/package.json`, root))
    ? read(`${path}/package.json`)
    : locked[path];
  const named = license ?? licenses?.map(({ type }) => type).join(' OR ');
  return (typeof named === 'object' ? named.type : named) ?? 'unknown';
}

/** One of alternative licences (OR) must be allowed, and all of combined ones (AND). */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((together) => together.split(' AND ').every((licence) => ALLOWED.includes(licence)));

const packagesOf = new Map();
for (const path of shipped) {
  const name = path.split('node_modules/').at(-1);
  const licence = licenceOf(path);
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

The licences of the packages that the service, its SDK and its MCP server are shipped with, on any platform, and of those
bundled into the dashboard.
Development tools are not included. The build writes the licence texts of the bundled packages to \`dist/dashboard/licences.md\`.
\`npm run licences\` writes this page; \`npm run check\` fails if it is out of date.

${sections.join('\n')}`;

const isCheck = process.argv.includes('--check');
const isCurrent = isCheck && existsSync(FILE) && readFileSync(FILE, 'utf8') === page;
if (isCheck && !isCurrent) console.error('docs/licences.md is out of date: run npm run licences');
if (!isCheck) writeFileSync(FILE, page);
process.exitCode = refused.length > 0 || (isCheck && !isCurrent) ? 1 : 0;
