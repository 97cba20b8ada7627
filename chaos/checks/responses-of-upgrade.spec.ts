import { describe, expect, it } from '@jest/globals';

import { type Changeable, gapless } from '../evidence/gapless-evidence.js';
import { checkResponsesOfUpgrade } from './responses-of-upgrade.js';

const STOPS = [{ from: 1_000, to: 2_000 }];
const LOST = { what: 'send', error: 'SocketError: other side closed' };
/** In the evidence, a send without a response is stored: an upgrade must not do that. */
const UNANSWERED_BUT_STORED = 2;

const gapsAfter = (change: (evidence: Changeable) => void, stored: readonly number[] = []): string[] => {
  const evidence = gapless();
  change(evidence);
  return checkResponsesOfUpgrade(evidence, (index) => (stored.includes(index) ? 1 : 0), STOPS).gaps.first;
};

describe('The check of responses during an upgrade', () => {
  it('accepts 503 with Retry-After, and no other 5xx', () => {
    expect(gapsAfter(() => undefined)).toEqual([]);
    expect(gapsAfter(({ answers }) => (answers.failures[0]!.isRetryable = false))).toEqual([
      expect.stringContaining('send answered 503, 1 times'),
    ]);
    expect(gapsAfter(({ answers }) => (answers.failures[0]!.status = 500))).toEqual([
      expect.stringContaining('send answered 500, 1 times'),
    ]);
  });

  it('accepts a connection that ends only while its process stops', () => {
    const gapsAfterLoss = (from: number) =>
      gapsAfter(({ answers }) => {
        answers.lose({ ...LOST, from, to: 2_500 });
      });
    expect(gapsAfterLoss(1_999)).toEqual([]);
    expect(gapsAfterLoss(2_001)).toEqual([expect.stringContaining('send got no response')]);
  });

  it('finds a send that is stored although its response was lost', () => {
    expect(gapsAfter(() => undefined, [0, UNANSWERED_BUT_STORED])).toEqual([
      'the send to recipient-2@example.org is stored, but its response was lost',
    ]);
  });
});
