import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { RunImports } from '../../../src/modules/imports/application/run-imports.service.js';
import { SweepImports } from '../../../src/modules/imports/application/sweep-imports.service.js';
import { ImportRepository } from '../../../src/modules/imports/application/ports/import.repository.js';
import { ClaimLostError, ImportClaims } from '../../../src/modules/imports/application/ports/import-claims.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { upload } from '../../support/csv-imports.js';
import { expireLeases } from '../../support/expire-leases.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

describe('Imports of contacts', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    jest.restoreAllMocks();
  });
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const claims = () => service.app.get(ImportClaims, { strict: false });
  const find = async (id: string) => (await account.asMember('get', `/api/imports/${id}`).expect(200)).body;
  const done = (id: string) =>
    waitFor('the import', async () => {
      const found = await find(id);
      return found.finishedAt !== null && found;
    });
  /** Queues an import as an upload does, but without a job. */
  const queueSilently = async (file: string, dryRun = false, repeated = '', times = 0) => {
    const imports = service.app.get(ImportRepository, { strict: false });
    const now = service.clock.now();
    const id = newId(now);
    await imports.open(account.id, id, now);
    await imports.append(account.id, id, 0, Buffer.from(file), now);
    for (let number = 1; number <= times; number++)
      await imports.append(account.id, id, number, Buffer.from(repeated), now);
    await imports.queue(account.id, id, { mapping: { email: 'email' }, listId: null, dryRun });
    return id;
  };
  const claim = async () => {
    const claim = await claims().claim(account.id, service.clock.now());
    return claim?.claimed;
  };
  const CHUNKS = 8;
  /** Runs an import of many lines without text, so few rows take long. Calls `onRenew` before the claim is renewed. */
  const workOnEmptyLines = async (
    onRenew: (times: number) => Promise<void> | void,
    stopping = new AbortController(),
  ) => {
    const id = await queueSilently('email,a,b,c\nada@example.com,,,\n', false, ',,,\n'.repeat(10_000), CHUNKS);
    const renew = claims().renew.bind(claims());
    let first: string | undefined;
    let renewals = 0;
    const release = jest.spyOn(claims(), 'release');
    jest.spyOn(claims(), 'renew').mockImplementation(async (claimed) => {
      // Another account may have an import that an earlier test has interrupted.
      if (claimed.id === id) first ??= claimed.claimId;
      if (claimed.claimId === first) await onRenew(++renewals);
      await renew(claimed);
    });
    await service.app.get(RunImports, { strict: false }).run(account.id, stopping.signal);
    return { id, renewals, isReleased: release.mock.calls.some(([{ claimId }]) => claimId === first) };
  };
  const zero = { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

  it('are run by the job that the upload enqueues', async () => {
    const { body } = await upload(account, 'email\nada@example.com\n').expect(202);
    expect(await done(body.id)).toMatchObject({ state: 'done', created: 1 });
  });

  it('run one after the other for an account, and only once with several workers', async () => {
    const ids = [await queueSilently('email\nada@example.com\n'), await queueSilently('email\nada@example.com\n')];
    const worker = service.app.get(RunImports, { strict: false });
    await Promise.all(Array.from({ length: 4 }, () => worker.run(account.id, new AbortController().signal)));
    const [first, second] = await Promise.all(ids.map(done));
    expect([first, second]).toMatchObject([
      { created: 1, skipped: 0 },
      { created: 0, skipped: 1 },
    ]);
  });

  it('are not overtaken, and belong to one worker until its lease has ended', async () => {
    const id = await queueSilently('email\nada@example.com\n');
    const lost = (await claim())!;
    expect(lost.id).toBe(id);
    await queueSilently('email\nbob@example.com\n');
    expect(await claim()).toBeUndefined();
    await expireLeases(service, 'contact_imports');
    const next = (await claim())!;
    expect(next.id).toBe(id);
    await expect(claims().advance(lost, zero, [])).rejects.toThrow(ClaimLostError);
    await expect(claims().renew(lost)).rejects.toThrow(ClaimLostError);
    await claims().finish(lost, 'not theirs to say', service.clock.now());
    expect(await find(id)).toMatchObject({ state: 'running', error: null });
    await claims().release(next);
  });

  it('keep their lease however few rows a long file has', async () => {
    const { id } = await workOnEmptyLines(async () => {
      await service.query(
        `UPDATE contact_imports SET lease_ends_at = lease_ends_at - interval '20 seconds' WHERE state = 'running'`,
      );
      expect(await claim()).toBeUndefined();
    });
    expect(await find(id)).toMatchObject({ state: 'done', total: 1, created: 1 });
  });

  it('are released halfway when the process is to stop', async () => {
    const stopping = new AbortController();
    const { isReleased, renewals } = await workOnEmptyLines((times) => {
      if (times === 2) stopping.abort();
    }, stopping);
    expect(isReleased).toBe(true);
    expect(renewals).toBe(2);
  });

  it('are read no further by a worker that has lost its claim', async () => {
    let next: Awaited<ReturnType<typeof claim>>;
    const { id, isReleased, renewals } = await workOnEmptyLines(async (times) => {
      if (times !== 2) return;
      await expireLeases(service, 'contact_imports');
      next = await claim();
    });
    expect(renewals).toBe(2);
    expect(next?.id).toBe(id);
    expect(isReleased).toBe(false);
  });

  it('continue after the rows that a lost worker has recorded; a dry run starts over', async () => {
    for (const dryRun of [false, true]) {
      const id = await queueSilently('email\nada@example.com\nbob@example.com\n', dryRun);
      const lost = (await claim())!;
      await claims().recordTotal(lost, 2);
      await claims().advance(lost, { ...zero, processed: 1, created: 1 }, []);
      await expireLeases(service, 'contact_imports');
      await service.app.get(SweepImports, { strict: false }).sweep();
      const found = await done(id);
      expect(found).toMatchObject({ state: 'done', total: 2, processed: 2 });
      expect(found).toMatchObject(dryRun ? { created: 1, skipped: 1 } : { created: 2 });
    }
  });

  it('are given up when their workers keep dying', async () => {
    const id = await queueSilently('email\nada@example.com\n');
    for (let tries = 0; tries < 5; tries++) {
      expect((await claim())?.id).toBe(id);
      await expireLeases(service, 'contact_imports');
    }
    await service.app.get(SweepImports, { strict: false }).sweep();
    expect(await done(id)).toMatchObject({ state: 'failed', error: 'Gave up after 5 attempts' });
  });

  it('fail when their list is deleted meanwhile', async () => {
    const { body: list } = await account.asAdmin('post', '/api/lists').send({ name: 'News' }).expect(201);
    const id = await queueSilently('email\nada@example.com\n');
    await service.query('UPDATE contact_imports SET list_id = $2 WHERE id = $1', [id, list.id]);
    await account.asAdmin('delete', `/api/lists/${list.id}`).expect(200);
    await service.app.get(SweepImports, { strict: false }).sweep();
    expect(await done(id)).toMatchObject({ state: 'failed', error: `listId: there is no list ${list.id}` });
  });

  it('are enqueued again although expired ones cannot be purged', async () => {
    const id = await queueSilently('email\nada@example.com\n');
    const imports = service.app.get(ImportRepository, { strict: false });
    jest.spyOn(imports, 'purgeExpiredAcrossAccounts').mockRejectedValue(new Error('canceled'));
    await expect(service.app.get(SweepImports, { strict: false }).sweep()).rejects.toThrow('canceled');
    expect(await done(id)).toMatchObject({ state: 'done' });
  });

  it('leave no file after a day and no report after a month; an interrupted upload leaves nothing', async () => {
    const sweep = () => service.app.get(SweepImports, { strict: false }).sweep();
    const chunks = () => service.query('SELECT number FROM contact_import_chunks');
    const id = await queueSilently('email\nada@example.com\n');
    await claim();
    const imports = service.app.get(ImportRepository, { strict: false });
    const interrupted = newId(service.clock.now());
    await imports.open(account.id, interrupted, service.clock.now());
    await imports.append(account.id, interrupted, 0, Buffer.from('email'), service.clock.now());
    service.clock.advance({ minutes: 11 });
    await service.query(`UPDATE contact_imports SET lease_ends_at = lease_ends_at + interval '2 days' WHERE id = $1`, [
      id,
    ]);
    await sweep();
    expect(await service.query('SELECT id FROM contact_imports WHERE id = $1', [interrupted])).toEqual([]);
    expect(await chunks()).toHaveLength(1);
    service.clock.advance({ days: 1 });
    await sweep();
    expect(await chunks()).toEqual([]);
    expect(await find(id)).toMatchObject({ state: 'failed', error: 'The import was not finished within a day' });
    service.clock.advance({ days: 31 });
    await sweep();
    expect(await service.query('SELECT id FROM contact_imports WHERE id = $1', [id])).toEqual([]);
  });
});
