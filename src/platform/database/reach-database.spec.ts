import { describe, expect, it, jest } from '@jest/globals';

import { reachDatabase, retryWhileUnreachable } from './reach-database.js';

const databaseUrl = 'postgres://service:top-secret@db:5432/service';
const NAME = 'The database db:5432/service (DATABASE_URL) cannot be used';

const errorWith = (code: string, message = 'it failed') => Object.assign(new Error(message), { code });

/** Fails with each error in turn, then succeeds. */
async function reach(errors: Error[], startTimeoutMs: number) {
  const warnings: string[] = [];
  let tries = 0;
  const outcome = await reachDatabase(
    { databaseUrl, startTimeoutMs },
    (line) => warnings.push(line),
    () => {
      const error = errors[tries++];
      return error ? Promise.reject(error) : Promise.resolve('reached');
    },
  ).catch((error: unknown) => (error as Error).message);
  return { outcome, tries, warnings };
}

describe('A start', () => {
  it.each([
    errorWith('ECONNREFUSED'),
    errorWith('ECONNRESET'),
    errorWith('ENOTFOUND'),
    errorWith('57P03', 'the database system is starting up'),
    errorWith('53300', 'sorry, too many clients already'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Connection terminated unexpectedly'),
  ])('waits for a server that fails with %s', async (error) => {
    const { outcome, tries, warnings } = await reach([error], 60_000);
    expect({ outcome, tries }).toEqual({ outcome: 'reached', tries: 2 });
    expect(warnings).toEqual([
      expect.stringMatching(`^The database db:5432/service .* cannot be used: .*\\. Trying again in 250 ms`),
    ]);
  });

  it.each([
    errorWith('28P01', 'password authentication failed for user "service"'),
    errorWith('28000', 'no pg_hba.conf entry'),
    errorWith('3D000', 'database "service" does not exist'),
    errorWith('42501', 'permission denied'),
    errorWith('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
  ])('does not wait after %s', async (error) => {
    expect(await reach([error], 60_000)).toEqual({ outcome: `${NAME}: ${error.message}`, tries: 1, warnings: [] });
  });

  it('tries once if it has no time, and reports why the last attempt failed', async () => {
    const refused = errorWith('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432');
    const outcome = `${NAME}: connect ECONNREFUSED 10.0.0.1:5432`;
    expect(await reach([refused], 0)).toEqual({ outcome, tries: 1, warnings: [] });
    const clock = jest.spyOn(performance, 'now');
    clock.mockReturnValueOnce(0).mockReturnValueOnce(0).mockReturnValue(1);
    expect(await reach([refused, refused, refused], 1)).toMatchObject({ outcome, tries: 2 });
    clock.mockRestore();
  });

  it('throws the error of other work as it is', async () => {
    const work = () => Promise.reject(errorWith('EADDRINUSE', 'Port 80 is taken'));
    const config = { databaseUrl, startTimeoutMs: 60_000 };
    await expect(retryWhileUnreachable(config, () => undefined, work)).rejects.toThrow(/^Port 80 is taken$/);
  });
});
