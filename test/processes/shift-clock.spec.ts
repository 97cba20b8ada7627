import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

const SHIFT_CLOCK = fileURLToPath(new URL('../support/shift-clock.mjs', import.meta.url));

const PROGRAM = `
  const before = process.hrtime.bigint();
  console.log(JSON.stringify({
    now: Date.now(), made: new Date().getTime(), called: Date.parse(Date()), given: new Date(5).getTime(),
    parts: new Date(2026, 0, 2).getDate(), is: new Date() instanceof Date && new Date().constructor === Date,
    utc: Date.UTC(1970, 0, 1), monotonic: Number(process.hrtime.bigint() - before) < 1e9,
  }))`;

async function run(shiftMs: string): Promise<Record<string, number | boolean>> {
  const env = { PATH: process.env.PATH, CLOCK_SHIFT_MS: shiftMs };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', SHIFT_CLOCK, '-e', PROGRAM], { env });
  return JSON.parse(stdout) as Record<string, number | boolean>;
}

describe('A shifted clock', () => {
  it('is ahead in every source of the time, and in nothing else', async () => {
    const before = Date.now();
    const reported = await run('3600000');
    const after = Date.now();
    for (const time of [reported.now, reported.made]) {
      expect(time).toBeGreaterThanOrEqual(before + 3_600_000);
      expect(time).toBeLessThanOrEqual(after + 3_600_000);
    }
    expect(reported.called).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000 + 3_600_000);
    expect(reported).toMatchObject({ given: 5, parts: 2, is: true, utc: 0, monotonic: true });
  });

  it('refuses a shift that is no number', async () => {
    await expect(run('soon')).rejects.toThrow(/CLOCK_SHIFT_MS/);
  });
});
