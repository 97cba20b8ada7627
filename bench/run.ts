import { benchAccept } from './accept.js';
import { benchDeliver } from './deliver.js';
import { benchMemory } from './memory.js';
import { print, type Row } from './support/report.js';

const BENCHMARKS: Record<string, () => Promise<Row[]>> = {
  accept: benchAccept,
  deliver: benchDeliver,
  memory: benchMemory,
};

/** All benchmarks, or those named: npm run bench -- accept */
const named = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (named.length === 0 || named.includes(name)) rows.push(...(await run()));
}
print(rows);
