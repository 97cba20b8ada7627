/**
 * Jest evaluates every module again for every test file, in a context whose globals are slow. Here it does so only with
 * files that import `@jest/globals`, the specs: every other module is loaded by Node itself, once per worker, and a
 * spec gets what it exports.
 */
import swcJest from '@swc/jest';

import { importTypeScript } from '../support/import-typescript.mjs';

const swc = swcJest.createTransformer();

export default {
  async processAsync(source, path, options) {
    if (source.includes("from '@jest/globals'")) return swc.processAsync(source, path, options);
    const names = Object.keys(await importTypeScript(path)).filter((name) => name !== 'default');
    return { code: `export const { ${names.join(', ')} } = await importNatively(${JSON.stringify(path)});` };
  },
};
