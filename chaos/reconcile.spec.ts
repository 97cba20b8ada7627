import { describe, expect, it } from '@jest/globals';

import { FALSIFIED } from './evidence/falsified-evidence.js';
import { type Changeable, copiesOf, copy, gapless, repeat } from './evidence/gapless-evidence.js';
import { reconcile } from './reconcile.js';

/** Returns the gaps after `falsify` has changed the evidence. */
async function gapsAfter(falsify: (evidence: Changeable) => void): Promise<string[]> {
  const evidence = gapless();
  falsify(evidence);
  return (await reconcile(evidence)).flatMap(({ gaps }) => gaps.first);
}

describe('The reconciliation', () => {
  it('finds no gaps in complete evidence', async () => {
    expect(await gapsAfter(() => undefined)).toEqual([]);
  });

  it.each([
    ['worker_killed', 'worker_lost'],
    ['worker_stopped', 'worker_lost'],
    ['connections_cut', 'answer_lost'],
  ] as const)('takes a second copy of what was in flight: %s', async (kind, reason) => {
    const gaps = await gapsAfter((evidence) => {
      evidence.disruptions.push({
        kind,
        process: kind === 'connections_cut' ? null : 'worker 1',
        from: 100_005,
        to: 100_006,
      });
      repeat(evidence, [reason, 'refused']);
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a second copy if the first was never answered', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.copies = copiesOf([1, 2, 5, 6, 7]);
      evidence.copies.add(copy(0, { isAnswerLost: true }));
      repeat(evidence, ['answer_lost']);
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a second copy that its worker had given up before the first', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.copies.add(copy(0, { from: 140_000, to: 140_010, worker: null, isAnswerLost: true }));
      evidence.messages[0]!.interruptions = ['answer_lost'];
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a second copy if its worker was killed before it could record the first, because PostgreSQL was down', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.outages.push({ from: 99_000, to: 106_000 });
      evidence.disruptions.push({ kind: 'worker_killed', process: 'worker 1', from: 107_000, to: 107_001 });
      repeat(evidence, ['worker_lost']);
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a second copy if its worker was killed before it could record the first, as the machine was overloaded', async () => {
    const killed = { kind: 'worker_killed', process: 'worker 1', from: 107_000, to: 107_001 } as const;
    const gaps = await gapsAfter((evidence) => {
      evidence.overloads.push({ from: 101_000, to: 103_000 });
      evidence.disruptions.push(killed);
      repeat(evidence, ['worker_lost']);
    });
    expect(gaps).toEqual([]);
    const unexplained = await gapsAfter((evidence) => {
      evidence.disruptions.push(killed);
      repeat(evidence, ['worker_lost']);
    });
    expect(unexplained).toHaveLength(1);
  });

  it('accepts a suppressed SMS that was received if its worker was lost and its recipient replied STOP', async () => {
    const gaps = await gapsAfter(({ messages, reported }) => {
      Object.assign(messages[3]!, { status: 'suppressed', recorded: {}, providerMessageId: null });
      messages[3]!.interruptions = ['worker_lost'];
      expect(reported.expected(5, null)).toEqual([]); // its receipt names a copy that nobody recorded
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a refused cancellation that an earlier request carried out after all', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.messages[0]!.status = 'canceled';
      evidence.copies = copiesOf([1, 2, 5, 6, 7]);
      evidence.schedules.possiblyCanceled.add(0);
    });
    expect(gaps).toEqual([]);
  });

  it('accepts a message before its time that had passed by the clock of the database when it was accepted', async () => {
    const gaps = await gapsAfter((evidence) => {
      evidence.schedules.add(0, 120_000);
      evidence.messages[0]!.createdAt = 120_000;
    });
    expect(gaps).toEqual([]);
  });

  it('accepts another post of a webhook for each failed attempt', async () => {
    const gaps = await gapsAfter(({ posts, deliveries }) => {
      posts[0]!.count = 2;
      deliveries[0]!.failedAttempts = 1;
    });
    expect(gaps).toEqual([]);
  });

  it.each(FALSIFIED)('finds %s', async (_, falsify, gap) => {
    expect(await gapsAfter(falsify)).toContainEqual(expect.stringMatching(gap));
  });
});
