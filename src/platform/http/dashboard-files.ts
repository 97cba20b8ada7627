import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { builtFile } from '../../shared/built-file.js';

/** The folder to which `npm run build` writes the dashboard. */
const BUILT = builtFile('dashboard');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.png': 'image/png',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compress = promisify(gzip);

export interface Asset {
  type: string;
  plain: Buffer;
  /** Compressed on first use. */
  gzipped: () => Promise<Buffer>;
}

/** The built dashboard, read once: an asset's name changes with its content. */
export interface DashboardFiles {
  page: string;
  /** The first path segments of the pages. */
  addresses: ReadonlySet<string>;
  /** The assets by file name. */
  assets: ReadonlyMap<string, Asset>;
}

/** Returns null if the dashboard is not built. */
export function readDashboard(directory = BUILT): DashboardFiles | null {
  if (!existsSync(join(directory, 'index.html'))) return null;
  const assets = join(directory, 'assets');
  return {
    page: readFileSync(join(directory, 'index.html'), 'utf8'),
    addresses: new Set(JSON.parse(readFileSync(join(directory, 'addresses.json'), 'utf8')) as string[]),
    assets: new Map(readdirSync(assets).map((name) => [name, readAsset(join(assets, name))])),
  };
}

/** Reads a file to be served from memory. */
export function readAsset(file: string): Asset {
  const plain = readFileSync(file);
  let compressed: Promise<Buffer> | undefined;
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    plain,
    gzipped: () => (compressed ??= compress(plain)),
  };
}
