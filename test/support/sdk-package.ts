import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const run = promisify(execFile);

/** Runs the TypeScript compiler; what it reports is in the error. */
export async function compile(args: string[], cwd = ROOT): Promise<void> {
  await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), ...args], { cwd }).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  });
}

/** Builds the SDK into `node_modules` of the directory, with the dependencies that are installed here. */
export async function installSdk(directory: string): Promise<void> {
  const source = join(ROOT, 'packages/sdk');
  const installed = join(directory, 'node_modules/opt-in-delivery-sdk');
  await mkdir(installed, { recursive: true });
  await cp(join(source, 'package.json'), join(installed, 'package.json'));
  await run(process.execPath, [join(source, 'scripts/api-types.mjs')]);
  await compile(['-p', join(source, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'csv-parse'])
    await symlink(join(MODULES, name), join(directory, 'node_modules', name));
}

/** Compiles a program of a page, as strictly as a user might, with the types of the packages in the directory only. */
export const compileProgram = (directory: string, file: string): Promise<void> =>
  compile(
    [
      ...['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'],
      ...['--typeRoots', join(MODULES, '@types'), '--types', 'node', file],
    ],
    directory,
  );
