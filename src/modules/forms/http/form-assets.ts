import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { FRAME_SCRIPT } from './embed-script.js';

interface Asset {
  type: 'text/javascript' | 'text/css';
  text: string;
}

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('altcha/altcha.css')), '..');
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

/** The widget without inline styles and scripts, its German texts, and the location of its worker. */
const widget = (): string => `${read('external/altcha.min.js')}
${read('i18n/de.umd.cjs')}
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(new URL('pbkdf2.js', import.meta.url)));
`;

export const FORM_ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['altcha.css', { type: 'text/css', text: read('external/altcha.css') }],
  ['altcha.js', { type: 'text/javascript', text: widget() }],
  ['frame.js', { type: 'text/javascript', text: FRAME_SCRIPT }],
  ['pbkdf2.js', { type: 'text/javascript', text: read('workers/pbkdf2.js') }],
]);
