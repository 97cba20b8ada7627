import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { API_VERSION } from '../../src/platform/http/version.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';

const APP_SECRET = 'a secret of the tests, of thirty-two characters and more';
const NEXT_MAJOR = `${Number(API_VERSION.split('.')[0]) + 1}.0.0`;

describe('A database that a later release has migrated', () => {
  let database: TestDatabase;
  let sql: Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    await sql.query(`INSERT INTO migrations (timestamp, name)
      VALUES (9000000000002, 'ContractMessages9000000000002'), (9000000000001, 'ExpandMessages9000000000001')`);
  });
  afterEach(async () => {
    await killServiceProcesses();
    await sql.end();
    await database.drop();
  });

  const requireAtLeast = (release: string) => sql.query(`COMMENT ON TABLE migrations IS 'oldest release: ${release}'`);
  const variables = () => ({ DATABASE_URL: database.url, APP_SECRET });

  it.each([
    ['the service', {}],
    ['a command', { program: 'src/commands/main.js', args: ['database:migrate'] }],
  ])('is refused by %s before it migrates anything, if this release is too old for it', async (_what, program) => {
    await requireAtLeast(NEXT_MAJOR);
    await sql.query(`DELETE FROM migrations WHERE name = 'CreateForms1795540000001'`);
    const process = ServiceProcess.spawn(variables(), program);
    expect(await process.waitForExit()).toEqual({ code: 1, signal: null });
    expect(`\n${process.printed}`).toContain(
      `\nThe database ${new URL(database.url).host}${new URL(database.url).pathname} (DATABASE_URL) cannot be used: ` +
        `a later release has changed it: this is release ${API_VERSION}, and ${NEXT_MAJOR} is the oldest that still ` +
        `runs with it. Start ${NEXT_MAJOR} or later, or restore the backup from before the upgrade\n`,
    );
  });

  it.each([
    ['without a word on releases', null],
    ['that this release still runs with', API_VERSION],
  ])('%s is used, with one warning that names the migrations', async (_what, release) => {
    if (release !== null) await requireAtLeast(release);
    const { process } = await startListening(variables());
    const warnings = process.printed.split('\n').filter((line) => line.includes('migrations'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      `a later release than ${API_VERSION}, which this one runs with: ` +
        'ExpandMessages9000000000001, ContractMessages9000000000002',
    );
  });

  it('gives no warning once they are gone', async () => {
    await sql.query('DELETE FROM migrations WHERE timestamp >= 9000000000001');
    const process = ServiceProcess.spawn(variables(), {
      program: 'src/commands/main.js',
      args: ['database:migrate'],
    });
    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
    expect(process.printed).toBe('The database has all migrations of this release.\n');
  });
});
