import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { nextIteration } from '../../../../test/support/event-loop.js';
import { type OptOutPage, type Providers, SmsAccountFailure, type SmsConnection } from '../../../providers/index.js';
import type { ApplyOptOuts } from './apply-opt-outs.service.js';
import { LeaseLostError, type OptOutSyncRepository, type SyncPass } from './ports/opt-out-sync.repository.js';
import type { OptedOutNumbers } from './ports/opted-out-numbers.js';
import type { SyncRate } from './ports/sync-rate.js';
import { SyncOptOuts } from './sync-opt-outs.service.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const PASS: SyncPass = { accountId: 'a', leaseHolder: 'l', passId: 'p', nextToken: null };
const CONNECTION = { kind: 'sns' } as SmsConnection;
const SYNC = { added: 1, total: 2, syncedAt: new Date(0), error: null };
const COMPLETE = { outcome: 'complete', sync: SYNC };

const later = () => new SmsAccountFailure('Rate exceeded', 'later');
const refused = () => new SmsAccountFailure('No', 'refused');
const invalidToken = () => new SmsAccountFailure('Invalid parameter: nextToken', 'token');
const page = (numbers: string[], nextToken: string | null): OptOutPage => ({ numbers, nextToken });

interface Conditions {
  claimed?: SyncPass | null;
  /** The replies to the requests for a page, in order. */
  pages?: (OptOutPage | Error)[];
  /** Numbers of earlier passes that this one did not find, and what the provider says of each. */
  missing?: Map<string, 'gone' | 'listed' | Error>;
  applyPage?: () => Promise<void>;
  release?: () => Promise<void>;
  reserve?: () => Promise<number>;
}

function syncWith(conditions: Conditions = {}) {
  const { claimed = PASS, pages = [], missing = new Map<string, 'gone' | 'listed' | Error>() } = conditions;
  const calls: unknown[] = [];
  const note = (...call: unknown[]) => Promise.resolve(void calls.push(call));
  const reply = <T>(answer: T | Error | undefined): Promise<T> => {
    if (answer === undefined) throw new Error('Unexpected request');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const list = {
    source: 'us-east-1 AKIA',
    listPage: (token: string | null) => {
      calls.push(['read', token]);
      return reply(pages.shift());
    },
    isOptedOut: async (number: string) => {
      calls.push(['check', number]);
      return (await reply(missing.get(number))) === 'listed';
    },
  };
  const service = new SyncOptOuts(
    { sms: () => ({ optOutsOf: () => list }) } as unknown as Providers,
    {
      claim: (accountId: string, source: string) => note('claim', accountId, source).then(() => claimed),
      recordFailure: (_: SyncPass, error: string) => note('failure', error),
      restart: (pass: SyncPass) => note('restart').then(() => ({ ...pass, passId: 'p2', nextToken: null })),
      complete: (_: SyncPass, now: Date) => note('complete', now).then(() => SYNC),
      renew: () => note('renew'),
      release: () => note('release').then(conditions.release),
    } as unknown as OptOutSyncRepository,
    {
      findMissing: (_: SyncPass, limit: number) => Promise.resolve([...missing.keys()].slice(0, limit)),
    } as unknown as OptedOutNumbers,
    {
      applyPage: ({ passId }: SyncPass, { numbers }: OptOutPage) =>
        note('apply', passId, numbers).then(conditions.applyPage),
      applyMissing: async (_: SyncPass, { gone, listed }: { gone: string[]; listed: string[] }) => {
        await note('missing', { gone, listed });
        for (const number of [...gone, ...listed]) missing.delete(number);
      },
    } as unknown as ApplyOptOuts,
    { pageIntervalMs: 0.01, reserve: conditions.reserve ?? (() => Promise.resolve(0)) } satisfies SyncRate,
    { now: () => NOW, catchUp: () => Promise.resolve() },
  );
  return { service, run: () => service.run('a', CONNECTION), calls };
}

describe('SyncOptOuts', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('reads and applies every page, completes the pass and releases the lease', async () => {
    const { run, calls } = syncWith({ pages: [page(['1'], 't2'), page(['2'], null)] });
    expect(await run()).toEqual(COMPLETE);
    expect(calls).toEqual([
      ['claim', 'a', 'us-east-1 AKIA'],
      ['read', null],
      ['apply', 'p', ['1']],
      ['read', 't2'],
      ['apply', 'p', ['2']],
      ['complete', NOW],
      ['release'],
    ]);
  });

  it('reads nothing while another run holds the lease', async () => {
    const { run, calls } = syncWith({ claimed: null });
    expect(await run()).toEqual({ outcome: 'busy' });
    expect(calls).toHaveLength(1);
  });

  it('resumes an unfinished pass at its next page', async () => {
    const { run, calls } = syncWith({ claimed: { ...PASS, nextToken: 't5' }, pages: [page(['9'], null)] });
    expect(await run()).toEqual(COMPLETE);
    expect(calls[1]).toEqual(['read', 't5']);
  });

  it('retries a page while the provider throttles, recording each failure', async () => {
    const { run, calls } = syncWith({ pages: [page(['1'], 't2'), later(), later(), page(['2'], null)] });
    expect(await run()).toEqual(COMPLETE);
    const failed = [
      ['read', 't2'],
      ['failure', 'Rate exceeded'],
    ];
    expect(calls.slice(3, 8)).toEqual([...failed, ...failed, ['read', 't2']]);
  });

  it('gives up after six attempts, and releases the lease', async () => {
    const { run, calls } = syncWith({ pages: Array.from({ length: 6 }, later) });
    await expect(run()).rejects.toThrow('Rate exceeded');
    expect(calls.filter((call) => Array.isArray(call) && call[0] === 'read')).toHaveLength(6);
    expect(calls.at(-1)).toEqual(['release']);
  });

  it('does not retry a refused page', async () => {
    const { run, calls } = syncWith({ pages: [refused()] });
    await expect(run()).rejects.toThrow('No');
    expect(calls.slice(1)).toEqual([['read', null], ['failure', 'No'], ['release']]);
  });

  it('starts over once if the token is no longer valid', async () => {
    const resumed = { ...PASS, nextToken: 't2' };
    const once = syncWith({ claimed: resumed, pages: [invalidToken(), page(['1'], null)] });
    expect(await once.run()).toEqual(COMPLETE);
    expect(once.calls.slice(1, 5)).toEqual([['read', 't2'], ['restart'], ['read', null], ['apply', 'p2', ['1']]]);
    const twice = syncWith({ claimed: resumed, pages: [invalidToken(), page(['1'], 't2'), invalidToken()] });
    await expect(twice.run()).rejects.toThrow('Invalid parameter: nextToken');
  });

  it('checks each missing number before it is lifted', async () => {
    const missing = new Map([
      ['1', 'gone'],
      ['2', 'listed'],
    ] as const);
    const { run, calls } = syncWith({ pages: [page(['3'], null)], missing: new Map(missing) });
    expect(await run()).toEqual(COMPLETE);
    expect(calls.slice(3, 7)).toEqual([
      ['check', '1'],
      ['check', '2'],
      ['missing', { gone: ['1'], listed: ['2'] }],
      ['complete', NOW],
    ]);
  });

  it('completes the pass without lifting the numbers whose check fails', async () => {
    const missing = new Map<string, 'gone' | Error>([
      ['1', 'gone'],
      ['2', refused()],
      ['3', 'gone'],
    ]);
    const { run, calls } = syncWith({ pages: [page([], null)], missing: new Map(missing) });
    expect(await run()).toEqual(COMPLETE);
    expect(calls).toContainEqual(['missing', { gone: ['1'], listed: [] }]);
    expect(calls).not.toContainEqual(['check', '3']);
  });

  it('leaves the pass unfinished if the lease is lost', async () => {
    const applyPage = () => Promise.reject(new LeaseLostError());
    const { run, calls } = syncWith({ pages: [page(['1'], 't2')], applyPage });
    expect(await run()).toEqual({ outcome: 'unfinished' });
    expect(calls.at(-1)).toEqual(['release']);
  });

  it('renews the lease while a page takes long', async () => {
    jest.useFakeTimers();
    let apply: () => void = () => undefined;
    const applied = new Promise<void>((resolve) => (apply = resolve));
    const { run, calls } = syncWith({ pages: [page(['1'], null)], applyPage: () => applied });
    const running = run();
    await jest.advanceTimersByTimeAsync(25_000);
    expect(calls.slice(-2)).toEqual([['renew'], ['renew']]);
    apply();
    expect(await running).toEqual(COMPLETE);
    const made = calls.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(made);
  });

  it('keeps the result when the lease cannot be released', async () => {
    const { run } = syncWith({ pages: [page([], null)], release: () => Promise.reject(new Error('connection cut')) });
    expect(await run()).toEqual(COMPLETE);
  });

  it('leaves the pass unfinished after ten minutes', async () => {
    const times = [0, 1];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 600_001);
    const { run } = syncWith({ pages: [page(['1'], 't2')] });
    expect(await run()).toEqual({ outcome: 'unfinished' });
  });

  it('stops waiting for its slot when the process stops, and releases the lease', async () => {
    const { service, run, calls } = syncWith({ reserve: () => Promise.resolve(3_600_000) });
    const running = run();
    await nextIteration();
    await service.onModuleDestroy();
    expect(await running).toEqual({ outcome: 'unfinished' });
    expect(calls.slice(1)).toEqual([['release']]);
  });
});
