import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TestService } from '../../support/service.js';

describe('A read', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  const one = async () => {
    expect(await service.database.read('SELECT $1::integer AS one', [1])).toEqual([{ one: 1 }]);
  };

  it('is cancelled by the server after its timeout, and those that follow are not affected', async () => {
    const slow = Array.from({ length: 10 }, () => service.database.read('SELECT pg_sleep(60)', [], 50));
    for (const read of await Promise.allSettled(slow)) expect(read).toMatchObject({ reason: { code: '57014' } });
    await Promise.all(Array.from({ length: 10 }, one));
  });

  it('cannot write', async () => {
    const read = service.database.read('DELETE FROM schedule_runs');
    await expect(read).rejects.toMatchObject({ code: '25006' });
    await one();
  });

  it('has its timeout for itself', async () => {
    await service.database.read('SELECT', [], 60_000);
    const timeouts = await Promise.all(
      Array.from({ length: 20 }, () => service.database.query("SELECT current_setting('statement_timeout') AS own")),
    );
    expect(new Set(timeouts.flat().map((row) => (row as { own: string }).own))).toEqual(new Set(['30s']));
  });
});
