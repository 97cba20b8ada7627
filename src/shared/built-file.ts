import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file or folder of the build. The depth of the code that asks for it differs between sources, build and bundle. */
export const builtFile = (name: string): string =>
  join(packageDirectory(dirname(fileURLToPath(import.meta.url))), 'dist', name);

function packageDirectory(directory: string): string {
  const parent = dirname(directory);
  return parent === directory || existsSync(join(directory, 'package.json')) ? directory : packageDirectory(parent);
}
