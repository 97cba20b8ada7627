// Makes the folders that are published as npm packages: node scripts/stage-packages.mjs <folder>. Each is what `npm pack`
// takes from the workspace, with its public name. The scope is `publishing.scope` of package.json.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const NAMES = ['sdk', 'mcp'];
const target = process.argv[2];
if (!target) throw new Error('node scripts/stage-packages.mjs <folder>');

const { publishing } = readJson(join(root, 'package.json'));
const local = Object.fromEntries(NAMES.map((name) => [name, `opt-in-delivery-${name}`]));
const published = (name) => `${publishing.scope}/${name}`;
/** `owner/name`, in GitHub's workflows. */
const repository = process.env.GITHUB_REPOSITORY;

for (const name of NAMES) stage(name, resolve(target, name));

function stage(name, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const source = join(root, 'packages', name);
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: source,
    encoding: 'utf8',
  });
  const tarball = join(folder, packed.trim().split('\n').at(-1));
  execFileSync('tar', ['xzf', tarball, '--strip-components=1'], { cwd: folder });
  rmSync(tarball);
  const manifest = toPublish(readJson(join(folder, 'package.json')), name);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = join(folder, 'README.md');
  writeFileSync(readme, toPublishedReadme(readFileSync(readme, 'utf8'), manifest));
  if (existsSync(join(root, 'LICENSE'))) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function toPublish({ private: _, scripts: __, ...manifest }, name) {
  const { dependencies } = manifest;
  // The code imports the SDK by the name that it has here.
  if (dependencies[local.sdk]) dependencies[local.sdk] = `npm:${published('sdk')}@${dependencies[local.sdk]}`;
  return {
    ...manifest,
    name: published(name),
    ...(existsSync(join(root, 'LICENSE')) && { license: 'SEE LICENSE IN LICENSE' }),
    ...(repository && {
      repository: { type: 'git', url: `git+https://github.com/${repository}.git`, directory: `packages/${name}` },
    }),
  };
}

/** Users install from the registry, and relative links lead nowhere there. */
function toPublishedReadme(text, { name, version, exports: library }) {
  const readme = text.replace(
    /<!-- in the repository -->[^]*<!-- end -->/,
    `\`\`\`sh\nnpm install ${library ? '' : '--global '}${name}\n\`\`\``,
  );
  const named = readme.replaceAll(local.sdk, published('sdk'));
  return repository ? named.replaceAll('](../../', `](https://github.com/${repository}/blob/v${version}/`) : named;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
