import type { ChildProcess } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ADMIN, ADMIN_VARIABLES } from './support/admin-account.js';
import { startDatabase } from './support/environment.js';
import { residentMegabytes, startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';

const ROWS = 1_000_000;
const CHUNK = 10_000;
const PORT = 41_751;
const URL = `http://127.0.0.1:${PORT}`;
const IDLE_MS = 8_000;
const SAMPLE_MS = 250;

/** Import and export of a CSV with a million contacts: rates, and resident memory of API and worker in one process. */
export async function benchCsv(): Promise<Row[]> {
  const database = await startDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'bench-csv-'));
  const service = startService({
    PORT: String(PORT),
    DATABASE_URL: database.url,
    ...ADMIN_VARIABLES,
  });
  try {
    await untilReady(URL);
    const file = await writeFile(folder);
    const headers = await signIn();
    await pause(IDLE_MS);
    const idle = await residentMegabytes(service);
    const memory = watch(service);
    const uploading = performance.now();
    const id = await upload(file, headers);
    const importing = performance.now();
    await waitForImport(id, headers);
    const done = performance.now();
    const importPeak = memory.peak();
    const exporting = performance.now();
    const bytes = await download(headers);
    const exported = performance.now();
    const row = (name: string, ours: number, aim = ''): Row => ({ name: `csv: ${name}`, ours, aim });
    return [
      row('idle, API + worker, MB', idle),
      row('upload and import of 1 M rows, MB above idle at most', importPeak - idle, '≤ 100'),
      row('upload of 1 M rows, seconds', (importing - uploading) / 1_000),
      row('import, rows/s', ROWS / ((done - importing) / 1_000)),
      row('export of 1 M rows, MB above idle at most (import included)', (await memory.end()) - idle, '≤ 100'),
      row('export, rows/s', ROWS / ((exported - exporting) / 1_000)),
      row('export, MB in all', bytes / 1_048_576),
    ];
  } finally {
    await stop(service);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFile(folder: string): Promise<string> {
  const path = join(folder, 'contacts.csv');
  const file = await open(path, 'w');
  await file.write('E-mail,First name,Last name,Company,Tags\n');
  for (let at = 0; at < ROWS; at += CHUNK) await file.write(rowsFrom(at));
  await file.close();
  return path;
}

/** In random order, as from a CRM. */
const rowsFrom = (at: number): string =>
  Array.from({ length: CHUNK }, (_, i) => {
    const person = ((at + i) * 7_919) % ROWS;
    return `person${person}@company${person % 977}.example.com,First${i % 500},Last${i % 3_001},"Company ${i % 977}, Ltd",crm;segment ${i % 20}\n`;
  }).join('');

async function signIn(): Promise<Record<string, string>> {
  const response = await fetch(`${URL}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return { authorization: `Bearer ${((await response.json()) as { accessToken: string }).accessToken}` };
}

async function upload(file: string, headers: Record<string, string>): Promise<string> {
  const body = new FormData();
  const columns = { email: 'E-mail', firstName: 'First name', lastName: 'Last name', company: 'Company', tags: 'Tags' };
  body.set('mapping', JSON.stringify(columns));
  body.set('file', await openAsBlob(file), 'contacts.csv');
  const response = await fetch(`${URL}/api/contacts/import/csv`, { method: 'POST', headers, body });
  if (response.status !== 202) throw new Error(`The upload answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

async function waitForImport(id: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${URL}/api/imports/${id}`, { headers });
    const { state, created, error } = (await response.json()) as { state: string; created: number; error: string };
    if (state === 'done' && created === ROWS) return;
    if (state === 'done' || state === 'failed') throw new Error(`The import ended ${state} with ${created}: ${error}`);
    await pause(SAMPLE_MS);
  }
}

async function download(headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${URL}/api/contacts/export.csv`, { headers });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

/** Samples the memory of the process and returns the peak. */
function watch(service: ChildProcess): { peak: () => number; end: () => Promise<number> } {
  let [peak, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentMegabytes(service));
      await pause(SAMPLE_MS);
    }
  })();
  return {
    peak: () => peak,
    end: async () => {
      isOver = true;
      await watching;
      return peak;
    },
  };
}
