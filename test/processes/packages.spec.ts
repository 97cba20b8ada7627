import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { API_VERSION } from '../../src/platform/http/version.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  publishing: { scope: string };
  name: string;
  version: string;
  private?: boolean;
  license: string;
  dependencies: Record<string, string>;
  repository: { url: string; directory: string };
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

describe('The folders that are published as packages', () => {
  let directory: string;
  let scope: string;
  const folder = (name: string) => join(directory, 'packages', name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'packages-spec-'));
    ({
      publishing: { scope },
    } = await readManifest(ROOT));
    await run(process.execPath, [join(ROOT, 'scripts/stage-packages.mjs'), join(directory, 'packages')], {
      env: { ...process.env, GITHUB_REPOSITORY: 'example/delivery' },
    });
  });
  afterAll(() => rm(directory, { recursive: true }));

  it.each(['sdk', 'mcp'])(
    'have a public name, the version of the API, and all that the registry shows: %s',
    async (name) => {
      const manifest = await readManifest(folder(name));
      expect(manifest).toMatchObject({
        name: `${scope}/${name}`,
        version: API_VERSION,
        license: existsSync(join(ROOT, 'LICENSE')) ? 'SEE LICENSE IN LICENSE' : 'UNLICENSED',
        repository: { url: 'git+https://github.com/example/delivery.git', directory: `packages/${name}` },
      });
      expect(manifest).not.toHaveProperty('private');
      expect(manifest).not.toHaveProperty('scripts');
      const readme = await readFile(join(folder(name), 'README.md'), 'utf8');
      expect(readme).toContain(`https://github.com/example/delivery/blob/v${API_VERSION}/docs/`);
      expect(readme).toContain(`npm install ${name === 'mcp' ? '--global ' : ''}${scope}/${name}\n`);
      expect(readme).not.toMatch(/\]\(\.|opt-in-delivery-sdk|is in no registry/);
    },
  );

  it.each(['sdk', 'mcp'])('contain what is built, and no sources: %s', async (name) => {
    const { stdout } = await run('npm', ['pack', '--json', '--dry-run'], { cwd: folder(name) });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json']));
    expect(paths.filter((path) => /\.spec\.|(?<!\.d)\.ts$/.test(path))).toEqual([]);
    const licence = existsSync(join(ROOT, 'LICENSE')) ? ['LICENSE'] : [];
    expect((await readdir(folder(name))).sort()).toEqual([...licence, 'README.md', 'dist', 'package.json']);
  });

  it('run when they are installed by the registry', async () => {
    const modules = join(directory, 'project/node_modules');
    const { dependencies } = await readManifest(folder('mcp'));
    const [, alias] = /^npm:(.*)@\d/.exec(dependencies['opt-in-delivery-sdk']!)!;
    expect(alias).toBe(`${scope}/sdk`);
    await mkdir(join(modules, scope), { recursive: true });
    for (const [target, name] of [
      [`${scope}/sdk`, 'sdk'],
      [`${scope}/mcp`, 'mcp'],
      ['opt-in-delivery-sdk', 'sdk'],
    ] as const)
      await cp(folder(name), join(modules, target), { recursive: true });
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'csv-parse', '@modelcontextprotocol', 'zod'])
      await symlink(join(ROOT, 'node_modules', name), join(modules, name));

    const program = join(directory, 'project/program.mjs');
    await writeFile(program, `import { DeliveryClient } from '${scope}/sdk'; console.log(typeof DeliveryClient);`);
    expect((await run(process.execPath, [program])).stdout).toBe('function\n');
    const help = await run(process.execPath, [join(modules, scope, 'sdk/dist/cli/main.js'), '--help']);
    expect(help.stdout).toContain('opt-in-delivery');
    const server = run(process.execPath, [join(modules, scope, 'mcp/dist/main.js')], {
      env: { PATH: process.env.PATH },
    });
    await expect(server).rejects.toThrow('DELIVERY_API_KEY');
  });
});
