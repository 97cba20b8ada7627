import { beforeEach, describe, expect, it } from '@jest/globals';

import type { ClaimedImport, FileRow } from '../domain/contact-import.js';
import type { ImportRows, RowOutcomes } from './import-rows.service.js';
import { ClaimLostError, type ImportClaims } from './ports/import-claims.js';
import type { ImportRepository } from './ports/import.repository.js';
import { RunImports } from './run-imports.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');

const queued = (fields: Partial<ClaimedImport> = {}): ClaimedImport => ({
  ...{ id: 'i1', accountId: 'a1', claimId: 'k1', state: 'running', total: null, errors: [], error: null },
  ...{ processed: 0, created: 0, updated: 0, skipped: 0, failed: 0, dryRun: false, listId: null, userId: 'u1' },
  ...{ mapping: { email: 'email' }, ignoredColumns: null, createdAt: NOW, finishedAt: null },
  ...fields,
});

describe('RunImports', () => {
  let rows: string[];
  let waiting: { claimed: ClaimedImport; attempt: number }[];
  let log: unknown[];
  let written: string[][];
  let onAdvance: () => void;
  let others: string[];
  let enqueued: unknown[];
  let now: Date;
  let stopping: AbortController;
  let service: RunImports;

  beforeEach(() => {
    rows = ['email', 'ada@x.example', 'bob@x.example'];
    waiting = [{ claimed: queued(), attempt: 1 }];
    [log, written] = [[], []];
    [others, enqueued, now] = [[], [], NOW];
    onAdvance = () => undefined;
    stopping = new AbortController();
    const imports = {
      async *readRows(_: string, __: string, beforeChunk?: () => Promise<void>): AsyncGenerator<FileRow, void> {
        await beforeChunk?.();
        for (const [i, text] of rows.entries()) yield { line: i + 1, cells: [text] };
      },
    };
    const claims: Partial<ImportClaims> = {
      claim: async () => waiting.shift() ?? null,
      renew: async () => undefined,
      listWaitingAcrossAccounts: async () => ['a1', ...others],
      recordTotal: async (_, total) => void log.push({ total }),
      advance: async (_, counts) => {
        onAdvance();
        log.push(counts);
      },
      release: async () => void log.push('released'),
      finish: async (_, error) => void log.push({ error }),
    };
    const outcomes = (contacts: readonly { email: string }[], outcome: 'created'): RowOutcomes => {
      written.push(contacts.map(({ email }) => email));
      return new Map(contacts.map(({ email }) => [email, { outcome }]));
    };
    const importRows: Pick<ImportRows, 'write' | 'preview'> = {
      write: async (_, contacts) => outcomes(contacts, 'created'),
      preview: async (_, contacts) => outcomes(contacts, 'created'),
    };
    const transactions = {
      isRunning: false,
      run: <T>(work: () => Promise<T>) => work(),
      runInLane: <T>(_: string, work: () => Promise<T>) => work(),
    };
    service = new RunImports(
      transactions,
      imports as unknown as ImportRepository,
      claims as ImportClaims,
      importRows as ImportRows,
      { enqueue: async (jobs: readonly unknown[]) => void enqueued.push(...jobs) },
      { now: () => now, catchUp: () => Promise.resolve() },
    );
  });

  const run = () => service.run('a1', stopping.signal);

  it('counts the rows, then writes them and finishes', async () => {
    await run();
    expect(log).toEqual([
      { total: 2 },
      { processed: 2, created: 2, updated: 0, skipped: 0, failed: 0 },
      { error: null },
    ]);
  });

  it('runs all waiting imports of the account', async () => {
    waiting.push({ claimed: queued({ id: 'i2' }), attempt: 1 });
    await run();
    expect(log.filter((entry) => JSON.stringify(entry) === '{"error":null}')).toHaveLength(2);
  });

  it('continues after the rows that are already processed', async () => {
    waiting = [{ claimed: queued({ total: 2, processed: 1 }), attempt: 2 }];
    await run();
    expect(written).toEqual([['bob@x.example']]);
  });

  it('counts an address once in a dry run, even across batches', async () => {
    rows = ['email', ...Array.from({ length: 250 }, (_, i) => `${i}@x.example`), '0@x.example', 'new@x.example'];
    waiting = [{ claimed: queued({ dryRun: true }), attempt: 1 }];
    await run();
    expect(written.map((batch) => batch.length)).toEqual([250, 1]);
  });

  it('fails after too many attempts, and for a file without the mapped column', async () => {
    waiting = [{ claimed: queued(), attempt: 6 }];
    await run();
    expect(log).toEqual([{ error: 'Gave up after 5 attempts' }]);
    log = [];
    rows = ['address', 'ada@x.example'];
    waiting = [{ claimed: queued(), attempt: 1 }];
    await run();
    expect(log.at(-1)).toEqual({ error: 'mapping.email: the file has no column email; its header is address' });
  });

  it('leaves an import that another worker has claimed', async () => {
    onAdvance = () => {
      throw new ClaimLostError('lost');
    };
    await run();
    expect(log).toEqual([{ total: 2 }]);
  });

  describe('while imports of other accounts wait', () => {
    const again = { name: 'import-contacts', payload: { accountId: 'a1' } };
    beforeEach(() => {
      others = ['a2'];
      waiting.push({ claimed: queued({ id: 'i2' }), attempt: 1 });
    });

    it('runs one of the account, and continues behind them', async () => {
      await run();
      expect(log.filter((entry) => JSON.stringify(entry) === '{"error":null}')).toHaveLength(1);
      expect(enqueued).toEqual([again]);
    });

    it('lets them have its slot after a minute of a long one', async () => {
      rows = ['email', ...Array.from({ length: 1_000 }, (_, i) => `${i}@x.example`)];
      onAdvance = () => (now = new Date(now.getTime() + 30_000));
      await run();
      expect(written).toHaveLength(2);
      expect(log.at(-1)).toBe('released');
      expect(enqueued).toEqual([again]);
    });

    it('completes a dry run, which could not be continued', async () => {
      rows = ['email', ...Array.from({ length: 1_000 }, (_, i) => `${i}@x.example`)];
      waiting = [{ claimed: queued({ dryRun: true }), attempt: 1 }];
      onAdvance = () => (now = new Date(now.getTime() + 60_000));
      await run();
      expect(written).toHaveLength(4);
      expect(log.at(-1)).toEqual({ error: null });
    });
  });

  it('continues a long import for which nobody waits', async () => {
    rows = ['email', ...Array.from({ length: 1_000 }, (_, i) => `${i}@x.example`)];
    onAdvance = () => (now = new Date(now.getTime() + 60_000));
    await run();
    expect(written).toHaveLength(4);
    expect(enqueued).toEqual([]);
  });

  it('releases the claim when the process is to stop', async () => {
    rows = ['email', ...Array.from({ length: 300 }, (_, i) => `${i}@x.example`)];
    onAdvance = () => {
      stopping.abort();
    };
    await run();
    expect(written).toHaveLength(1);
    expect(log.at(-1)).toBe('released');
  });

  it('rejects with other errors, so that the queue shows them', async () => {
    onAdvance = () => {
      throw new Error('out of reach');
    };
    await expect(run()).rejects.toThrow('out of reach');
  });
});
